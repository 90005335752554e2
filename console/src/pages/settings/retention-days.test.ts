import { describe, expect, it } from "vitest";
import { formatDays, parseDays } from "./retention-days.ts";

describe("parseDays", () => {
  it("returns null for an empty field and undefined for an invalid number of days", () => {
    expect(parseDays(" ")).toBeNull();
    expect(parseDays("30")).toBe(30);
    for (const text of ["0", "-1", "1.5", "a week"]) expect(parseDays(text)).toBeUndefined();
  });
});

describe("formatDays", () => {
  it("formats a period", () => {
    expect([null, 1, 90].map(formatDays)).toEqual(["forever", "1 day", "90 days"]);
  });
});
