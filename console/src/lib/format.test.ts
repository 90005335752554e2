import { describe, expect, it } from "vitest";
import { formatBytes, formatDuration, formatRelativeTime } from "./format.ts";

describe("formatDuration", () => {
  it.each([
    [0.4, "0 ms"],
    [999, "999 ms"],
    [3_400, "3.4 s"],
    [125_000, "2 min 5 s"],
    [900_000, "15 min"],
  ])("formats %d ms as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe("formatBytes", () => {
  it.each([
    [0, "0 B"],
    [1_023, "1023 B"],
    [1_536, "1.5 KiB"],
    [100 * 1_024 ** 2, "100 MiB"],
    [5 * 1_024 ** 5, "5120 TiB"],
  ])("formats %d as %s", (count, text) => {
    expect(formatBytes(count)).toBe(text);
  });
});

describe("formatRelativeTime", () => {
  const now = new Date("2026-03-01T12:00:00Z");

  it.each([
    ["2026-03-01T11:59:20Z", "40 seconds ago"],
    ["2026-03-01T11:00:00Z", "1 hour ago"],
    ["2026-02-28T12:00:00Z", "yesterday"],
    ["2026-03-04T12:00:00Z", "in 3 days"],
    ["2023-03-01T12:00:00Z", "3 years ago"],
  ])("formats %s as %s", (at, text) => {
    expect(formatRelativeTime(new Date(at), now)).toBe(text);
  });
});
