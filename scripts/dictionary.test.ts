import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it("lists the words of the dictionary once, in lower case and alphabetical order", () => {
  const text = readFileSync(join(import.meta.dirname, "dictionary.txt"), "utf8");
  const words = text.trimEnd().split("\n");
  expect(words).toEqual([...new Set(words.map((word) => word.toLowerCase()))].toSorted());
});
