import { describe, expect, test } from "vitest";
import { casesOf, compare } from "./replay.ts";

describe("casesOf", () => {
  test("turns examples into cases, with an outcome where an example has an output", () => {
    expect(casesOf([{ input: { a: 1 }, output: { b: 2 } }, { input: { a: 2 } }])).toEqual([
      {
        id: "example-0",
        label: "Example 1",
        input: { a: 1 },
        before: { status: "completed", output: { b: 2 } },
      },
      { id: "example-1", label: "Example 2", input: { a: 2 }, before: undefined },
    ]);
  });
});

describe("compare", () => {
  test("finds differences in output, status and error message", () => {
    const done = { status: "completed", output: { sum: 3 } };
    expect(compare(done, { ...done })).toEqual([]);
    expect(compare(done, { status: "completed", output: { sum: 4 } })).toEqual([
      { path: "/sum", before: 3, after: 4 },
    ]);
    expect(compare(done, { status: "failed", message: "no" })).toEqual([
      { path: "", before: "completed", after: "failed: no" },
    ]);
    const failed = { status: "failed", message: "no" };
    expect(compare(failed, { status: "failed", message: "never" })).toEqual([
      { path: "", before: "no", after: "never" },
    ]);
  });
});
