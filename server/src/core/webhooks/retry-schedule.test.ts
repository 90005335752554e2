import { describe, expect, it } from "vitest";
import { probePauseMs, readRetryAfter, retryPauseMs } from "./retry-schedule.ts";

const now = Date.parse("2026-03-01T12:00:00Z");
const day = 86_400_000;

describe("readRetryAfter", () => {
  it.each([
    [429, "120", 120_000],
    [503, "Sun, 01 Mar 2026 12:05:00 GMT", 300_000],
    [429, "Sun, 01 Mar 2026 11:00:00 GMT", 0],
    [429, "999999999", day],
    [429, "99999999999999999999", 0],
    [429, "-5", 0],
    [429, "soon", 0],
    [500, "120", 0],
    [429, undefined, 0],
  ])("reads status %s with %s as %s ms", (status, retryAfter, ms) => {
    expect(readRetryAfter({ status, retryAfter }, now)).toBe(ms);
  });
});

describe("retryPauseMs", () => {
  it("ends after the eleventh attempt, and is at least as long as the receiver wishes", () => {
    expect(retryPauseMs(10, 0)).toBeGreaterThan(0);
    expect(retryPauseMs(11, 0)).toBeUndefined();
    expect(retryPauseMs(1, day)).toBe(day);
  });
});

describe("probePauseMs", () => {
  it("tolerates two failed batches, and grows to five minutes", () => {
    expect([1, 2, 3, 4, 8, 9, 99].map(probePauseMs)).toEqual([
      0, 0, 5_000, 10_000, 160_000, 300_000, 300_000,
    ]);
  });
});
