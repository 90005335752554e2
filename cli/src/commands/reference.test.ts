import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeCommands, referencePath } from "../../generate-reference.ts";

it("is the same as docs/reference/command-line.md; run npm run generate:docs", () => {
  expect(readFileSync(referencePath, "utf8")).toBe(describeCommands());
});
