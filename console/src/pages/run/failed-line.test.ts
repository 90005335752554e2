import { describe, expect, it } from "vitest";
import { failedLine } from "./failed-line.tsx";

describe("failedLine", () => {
  it("returns the first line of the tool's own code", () => {
    const stack =
      "Error: no\n    at parse (node_modules/a/b.js:9:1)\n    at run (tool.ts:3:22)\n    at tool.ts:8:1";
    expect(failedLine(stack)).toBe(3);
    expect(failedLine("Error: no\n    at a/other.ts:3:1")).toBeUndefined();
    expect(failedLine(undefined)).toBeUndefined();
  });
});
