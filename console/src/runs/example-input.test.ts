import { readFile } from "node:fs/promises";
import type { JsonObject } from "@toolhost/contract";
import { describe, expect, test } from "vitest";
import { exampleInput } from "./example-input.ts";

describe("exampleInput", () => {
  test("leaves files to the user, so that no example names a file that does not exist", async () => {
    const folder = new URL("../../../starter-tools/image-converter/", import.meta.url);
    const settings = JSON.parse(await readFile(new URL("tool.json", folder), "utf8")) as {
      examples: { input: JsonObject }[];
      fileFields: string[];
    };
    const { examples, fileFields } = settings;
    const inputs = examples.map(({ input }) => exampleInput(input, fileFields));
    expect(inputs).toEqual([
      { width: 32 },
      { width: 32, height: 32, fit: "cover", format: "jpeg" },
    ]);
  });

  test("returns all other values", () => {
    const input = { a: 1, file: "id", b: { file: "x" } };
    expect(exampleInput(input, ["file"])).toEqual({ a: 1, b: { file: "x" } });
    expect(exampleInput(input, [])).toEqual(input);
  });
});
