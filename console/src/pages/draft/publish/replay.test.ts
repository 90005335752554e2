import { describe, expect, test } from "vitest";
import { compare } from "./replay.ts";

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
