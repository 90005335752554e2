import { describe, expect, test } from "vitest";
import { markersOfRun } from "./code-markers.ts";

describe("markersOfRun", () => {
  test("marks the first stack frame in the tool's own code", () => {
    const stack =
      "Error: no\n    at async inner (zod/index.js:3:1)\n    at tool.ts:5:9\n    at tool.ts:1:2";
    expect(markersOfRun({ status: "failed", message: "no", stack })).toEqual([
      { line: 5, column: 9, message: "no" },
    ]);
    expect(markersOfRun({ status: "failed", message: "no" })).toEqual([]);
  });

  test("marks each line that the build reported", () => {
    const errors = [
      { path: "/source/code", message: 'Expected ";"', file: "tool.ts", line: 2, column: 4 },
      { path: "/title", message: "is missing" },
      { path: "/source/code", message: "odd", file: "node_modules/zod/index.js", line: 1 },
    ];
    expect(
      markersOfRun({ status: "refused", message: "The tool cannot be built", errors }),
    ).toEqual([{ line: 2, column: 4, message: 'Expected ";"' }]);
  });
});
