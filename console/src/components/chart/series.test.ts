import { describe, expect, it } from "vitest";
import { highest, linePath, niceMax } from "./series.ts";

const series = [
  { id: "a", label: "A", color: "red" },
  { id: "b", label: "B", color: "blue" },
];

describe("niceMax", () => {
  it("returns the next round number", () => {
    expect([0, 1, 3, 17, 50, 51, 999].map(niceMax)).toEqual([1, 1, 5, 20, 50, 100, 1_000]);
  });
});

describe("highest", () => {
  it("adds stacked values and compares others", () => {
    const points = [{ key: "1", label: "1", values: { a: 3, b: 4 } }];
    expect(highest(points, series, true)).toBe(10);
    expect(highest(points, series, false)).toBe(5);
    expect(highest([], series, true)).toBe(1);
  });
});

describe("linePath", () => {
  it("interrupts the line where a value is missing", () => {
    const at = (index: number, value: number) => [index, value] as const;
    expect(linePath([1, 2, null, 3], at)).toBe("M0 1h0L1 2M3 3h0");
  });
});
