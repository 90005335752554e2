import { describe, expect, it } from "vitest";
import { addFormRun } from "./record-run.ts";

const examples = [
  { input: { name: "ada" }, output: { greeting: "ADA" } },
  { input: { name: "bo" }, output: { greeting: "BO" } },
];
const run = (name: string, greeting: string) =>
  ({
    examples,
    fileFields: [],
    input: { name },
    state: { status: "completed", output: { greeting } },
    durationMs: 5,
  }) as const;

describe("addFormRun", () => {
  it("judges a run with the input of an example", () => {
    expect(addFormRun(undefined, run("ada", "ADA"))).toEqual([
      { example: 0, status: "passed", durationMs: 5 },
    ]);
    expect(addFormRun(undefined, run("bo", "no"))).toMatchObject([
      { example: 1, status: "failed" },
    ]);
  });

  it("adds the result to those of other examples", () => {
    const results = [{ example: 1, status: "passed" as const }];
    const before = { revision: 1, at: "", passed: 1, failed: 0, skipped: 0, results };
    expect(addFormRun(before, run("ada", "ADA"))).toMatchObject([
      { example: 0, status: "passed" },
      { example: 1, status: "passed" },
    ]);
  });

  it("ignores other inputs and runs that did not end", () => {
    expect(addFormRun(undefined, run("cy", "CY"))).toBeUndefined();
    const running = { ...run("ada", ""), state: { status: "running" } } as const;
    expect(addFormRun(undefined, running)).toBeUndefined();
  });
});
