import { describe, expect, it } from "vitest";
import { fromResults, toResult } from "./run-example.ts";
import type { ExampleRun } from "./run-example.ts";

const run: ExampleRun = { status: "failed", message: "", differences: [], durationMs: 5 };
const differenceAt = (path: string) => ({ path, expected: "secret", received: "other" });

describe("toResult", () => {
  it("stores where the output differs, without its values", () => {
    const differences = ["", "/b", "/c", "/d", "/e"].map(differenceAt);
    expect(toResult({ ...run, differences }, 2)).toEqual({
      example: 2,
      status: "failed",
      durationMs: 5,
      message: "The output differs at /, /b, /c and 2 more.",
    });
  });

  it("prefers the message of the run, and limits its length", () => {
    const { message } = toResult({ ...run, message: "x".repeat(400) }, 0);
    expect(message).toBe("x".repeat(300));
  });
});

describe("fromResults", () => {
  it("returns the stored results by the index of their example", () => {
    const stored = { example: 1, status: "failed", message: "It failed." } as const;
    expect(fromResults([stored])).toEqual([
      undefined,
      { status: "failed", message: "It failed.", differences: [], durationMs: 0 },
    ]);
  });
});
