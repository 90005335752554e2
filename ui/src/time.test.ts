import { describe, expect, it } from "vitest";
import { formatTime } from "./time.ts";

describe("formatTime", () => {
  it.each([
    ["dateTime", "Mar 1, 2026, 17:05:09"],
    ["dateAndMinute", "Mar 1, 17:05"],
    ["date", "Mar 1, 2026"],
    ["day", "Mar 1"],
    ["minute", "17:05"],
    ["millisecond", "17:05:09.042"],
  ] as const)("formats a time as %s", (format, text) => {
    expect(formatTime("2026-03-01T17:05:09.042Z", format, "UTC")).toBe(text);
  });

  it("shows midnight as the start of a day", () => {
    expect(formatTime("2026-03-01T00:00:00Z", "minute", "UTC")).toBe("00:00");
  });
});
