import { describe, expect, it } from "vitest";
import { exampleOfRun } from "./run-example.ts";

describe("exampleOfRun", () => {
  it("takes over the input and output without redacted secrets", () => {
    const run = {
      status: "completed",
      input: { city: "Oslo", key: "[redacted]", list: ["a", "Bearer [redacted]"] },
      output: { temperature: 3, url: "https://a.example/?key=[redacted]" },
    } as const;
    expect(exampleOfRun(run as never)).toEqual({
      example: { input: { city: "Oslo", list: ["a"] }, output: { temperature: 3 } },
      omitted: ["/key", "/list/1"],
    });
  });

  it("expects the error code of a failed run, and nothing of other runs", () => {
    const error = { code: "tool_error", message: "No." };
    expect(exampleOfRun({ status: "failed", input: {}, error } as never)?.example).toEqual({
      input: {},
      expect: { type: "failure", code: "tool_error" },
    });
    expect(exampleOfRun({ status: "cancelled", input: {}, error } as never)).toBeUndefined();
    expect(exampleOfRun({ status: "running", input: {} } as never)).toBeUndefined();
  });
});
