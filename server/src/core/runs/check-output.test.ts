import { describe, expect, it } from "vitest";
import { checkOutput } from "./check-output.ts";

const sum = { properties: [{ name: "sum", type: "number" as const, description: "" }] };

describe("a tool's output", () => {
  it("is kept when it has what was declared, and more", () => {
    expect(checkOutput({ sum: 3, note: "x" }, sum)).toEqual({ output: { sum: 3, note: "x" } });
  });

  it.each([
    [{ sum: "3" }, /output\.sum must be number, not string/],
    [{}, /output\.sum is missing/],
    [{ sum: null }, /not null/],
    [[1], /must return an object, not array/],
    [3, /must return an object, not number/],
    [null, /must return an object, not null/],
  ])("is refused: %j", (output, problem) => {
    expect(checkOutput(output, sum)).toEqual({ problem: expect.stringMatching(problem) as string });
  });

  it("may be nothing when nothing was declared", () => {
    expect(checkOutput(null, { properties: [] })).toEqual({ output: {} });
  });

  it("does not take what a prototype has for a field", () => {
    const declared = { properties: [{ name: "toString", type: "any" as const, description: "" }] };
    expect(checkOutput({}, declared)).toHaveProperty("problem");
  });

  it("may leave out what is optional", () => {
    const declared = {
      properties: [{ name: "next", type: "string" as const, description: "", optional: true }],
    };
    expect(checkOutput({}, declared)).toEqual({ output: {} });
    expect(checkOutput({ next: 1 }, declared)).toHaveProperty("problem");
  });
});
