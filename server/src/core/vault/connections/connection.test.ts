import { describe, expect, it } from "vitest";
import { refreshTime } from "./connection.ts";

const minute = 60_000;

describe("refreshTime", () => {
  it.each([
    ["an hour", 60 * minute, 55 * minute],
    ["a day", 1_440 * minute, 1_435 * minute],
    ["ten minutes", 10 * minute, 9 * minute],
    ["two seconds", 2_000, 1_800],
  ])("is before the expiry of a token that lives for %s", (_, life, expected) => {
    expect(refreshTime(1_000, { expiresAt: 1_000 + life }, true)).toBe(1_000 + expected);
  });

  it("is null without an expiry, and the expiry for a token that cannot be renewed", () => {
    expect(refreshTime(0, { expiresAt: null }, true)).toBeNull();
    expect(refreshTime(0, { expiresAt: minute }, false)).toBe(minute);
  });
});
