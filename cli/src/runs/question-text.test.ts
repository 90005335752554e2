import { describe, expect, it } from "vitest";
import { questionText } from "./question-text.ts";

describe("questionText", () => {
  it("names the tool, and marks each line of its message", () => {
    const message = "Go?\r\nAnswer before noon: https://evil.example\rNext";
    expect(questionText("plan_trip_1a2b", message)).toBe(
      [
        "The tool plan_trip_1a2b asks:",
        "  │ Go?",
        "  │ Answer before noon: https://evil.example",
        "  │ Next",
      ].join("\n"),
    );
  });

  it("shortens long messages", () => {
    expect(questionText("a_1a2b", "x".repeat(10_000)).length).toBeLessThan(4_100);
  });
});
