import { describe, expect, it } from "vitest";
import { checkOutput } from "./evaluate-result.ts";

const sum = { properties: [{ name: "sum", type: "number" as const, description: "" }] };

describe("checkOutput", () => {
  it("accepts declared and additional fields", () => {
    expect(checkOutput({ sum: 3, note: "x" }, sum)).toEqual({ output: { sum: 3, note: "x" } });
  });

  it.each([
    [{ sum: "3" }, /output\.sum must be a number, not a string/],
    [{}, /output\.sum is missing/],
    [{ sum: null }, /not null/],
    [[1], /must return an object, not an array/],
    [3, /must return an object, not a number/],
    [null, /must return an object, not null/],
  ])("rejects %j", (output, problem) => {
    expect(checkOutput(output, sum)).toEqual({ problem: expect.stringMatching(problem) as string });
  });

  it("accepts null from a tool without declared properties", () => {
    expect(checkOutput(null, { properties: [] })).toEqual({ output: {} });
  });

  it("ignores fields of the prototype", () => {
    const declared = { properties: [{ name: "toString", type: "any" as const, description: "" }] };
    expect(checkOutput({}, declared)).toHaveProperty("problem");
  });

  it("accepts another type of a lenient field", () => {
    const declared = { name: "id", type: "integer" as const, description: "" };
    const check = (field: typeof declared & { lenient?: boolean }) =>
      checkOutput({ id: "a" }, { properties: [field] });
    expect(check({ ...declared, lenient: true })).toEqual({ output: { id: "a" } });
    expect(check(declared)).toHaveProperty("problem");
  });

  it("accepts an output without its optional fields", () => {
    const declared = {
      properties: [{ name: "next", type: "string" as const, description: "", optional: true }],
    };
    expect(checkOutput({}, declared)).toEqual({ output: {} });
    expect(checkOutput({ next: 1 }, declared)).toHaveProperty("problem");
  });
});
