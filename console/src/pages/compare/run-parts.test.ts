import { describe, expect, it } from "vitest";
import { differentParts, runParts } from "./run-parts.ts";

const run = { status: "completed", toolVersion: 2, input: { a: 1 }, output: { b: 2 } } as const;

describe("differentParts", () => {
  it("returns the parts that differ", () => {
    const log = [{ at: "2030-01-01T00:00:00Z", level: "info", message: "hello" }] as const;
    const later = [{ ...log[0], at: "2031-01-01T00:00:00Z" }];
    const failed = {
      ...run,
      status: "failed",
      output: undefined,
      error: { code: "tool_error", message: "no" },
    } as const;
    expect(differentParts(runParts(run, log), runParts(run, later))).toEqual([]);
    const parts = differentParts(runParts(run, log), runParts(failed, log));
    expect(parts.map(({ label }) => label)).toEqual(["Status", "Output", "Error"]);
    expect(parts[2]).toEqual({ label: "Error", before: "", after: "tool_error\nno" });
  });
});
