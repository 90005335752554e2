import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { version } from "./version.ts";

it("is the version of the package", async () => {
  const file = new URL("../package.json", import.meta.url);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ version });
});
