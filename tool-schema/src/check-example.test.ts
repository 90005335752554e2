import { describe, expect, it } from "vitest";
import type { ToolExample } from "@toolhost/contract";
import { checkExample, patternProblem } from "./check-example.ts";

const completed = (output: ToolExample["input"]) => ({ status: "completed", output });
const failedWith = (code: string) => ({ status: "failed", error: { code, message: "No." } });
const isPassed = (
  example: Omit<ToolExample, "input">,
  outcome: Parameters<typeof checkExample>[1],
) => checkExample(example, outcome).isPassed;

describe("checkExample", () => {
  it("requires a completed run with everything that the output has, without an expectation", () => {
    expect(isPassed({}, completed({ a: 1 }))).toBe(true);
    expect(isPassed({}, failedWith("tool_error"))).toBe(false);
    expect(isPassed({ output: { a: 1 } }, completed({ a: 1, b: 2 }))).toBe(true);
    expect(checkExample({ output: { a: 1 } }, completed({ a: 2 })).differences).toEqual([
      { path: "/a", expected: 1, received: 2 },
    ]);
  });

  it("accepts nothing more than the output if it must be equal", () => {
    const equal = { output: { a: 1 }, expect: { type: "equal" } } as const;
    expect(isPassed(equal, completed({ a: 1 }))).toBe(true);
    expect(isPassed(equal, completed({ a: 1, b: 2 }))).toBe(false);
  });

  it("returns the output to store for a new snapshot, and compares later ones", () => {
    const expectation = { expect: { type: "snapshot" } } as const;
    expect(checkExample(expectation, completed({ a: 1 }))).toMatchObject({
      isPassed: true,
      snapshot: { a: 1 },
    });
    expect(isPassed({ ...expectation, output: { a: 1 } }, completed({ a: 2 }))).toBe(false);
  });

  it("checks the output against a schema, and rejects keywords that it does not check", () => {
    const matches = (schema: ToolExample["input"]) =>
      checkExample({ expect: { type: "schema", schema } }, completed({ n: 5, list: ["x"] }));
    expect(matches({ required: ["n"], properties: { n: { type: "integer" } } }).isPassed).toBe(
      true,
    );
    expect(matches({ required: ["m"] })).toMatchObject({
      isPassed: false,
      message: "/m: Required.",
    });
    expect(matches({ properties: { list: { items: { not: {} } } } }).message).toContain('"not"');
    expect(matches({ properties: { constructor: { type: "string" } } }).isPassed).toBe(true);
  });

  it("matches a pattern with the value at a path", () => {
    const matches = (path: string, pattern: string, output: ToolExample["input"]) =>
      checkExample({ expect: { type: "pattern", path, pattern } }, completed(output));
    expect(matches("/items/0/a~1b", "^Os", { items: [{ "a/b": "Oslo" }] }).isPassed).toBe(true);
    expect(matches("/n", "^4\\d$", { n: 42 }).isPassed).toBe(true);
    expect(matches("/n", "^5", { n: 42 }).isPassed).toBe(false);
    expect(matches("/missing", "^", { n: 42 }).message).toContain("/missing");
    expect(matches("/constructor", "^", { n: 42 }).isPassed).toBe(false);
  });

  it("fails a pattern that could take exponential time", () => {
    const expectation = { type: "pattern", path: "/a", pattern: "^(a+)+$" } as const;
    const verdict = checkExample({ expect: expectation }, completed({ a: `${"a".repeat(60)}!` }));
    expect(verdict.isPassed).toBe(false);
    expect(verdict.message).toContain("may take too long");
  });

  it("says whether a pattern is invalid or may take too long", () => {
    expect(patternProblem("[")).toBe("[ is not a valid regular expression.");
    expect(patternProblem("^(a+)+$")).toContain("may take too long");
    expect(patternProblem("^ord_\\d+$")).toBeUndefined();
    const verdict = checkExample(
      { expect: { type: "pattern", path: "/a", pattern: "[" } },
      completed({ a: "[" }),
    );
    expect(verdict.message).toContain("not a valid regular expression");
  });

  it("requires the error code of a failure", () => {
    const failure = { expect: { type: "failure", code: "tool_error" } } as const;
    expect(isPassed(failure, failedWith("tool_error"))).toBe(true);
    expect(isPassed(failure, failedWith("timeout"))).toBe(false);
    expect(isPassed(failure, completed({}))).toBe(false);
  });
});
