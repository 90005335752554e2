import { describe, expect, it } from "vitest";
import { dotPath, highest, linePath, niceMax, tickIndexes } from "./series.ts";

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
    const points = [{ key: "1", label: "1", tick: "1", values: { a: 3, b: 4 } }];
    expect(highest(points, series, true)).toBe(10);
    expect(highest(points, series, false)).toBe(5);
    expect(highest([], series, true)).toBe(1);
  });
});

describe("linePath", () => {
  it("interrupts the line where a value is missing", () => {
    const at = (index: number, value: number) => [index, value] as const;
    expect(linePath([1, 2, null, 3], at)).toBe("M0 1L1 2M3 3");
  });
});

describe("dotPath", () => {
  it("has a dot for each value without neighbors", () => {
    const at = (index: number, value: number) => [index, value] as const;
    expect(dotPath([1, 2, null, 3], at)).toBe("M3 3h.01");
    expect(dotPath([5], at)).toBe("M0 5h.01");
  });
});

describe("tickIndexes", () => {
  it.each([
    [24, [0, 3, 6, 9, 12, 15, 18, 21]],
    [168, [0, 24, 48, 72, 96, 120, 144]],
    [30, [0, 4, 8, 12, 16, 20, 24, 28]],
    [1, [0]],
    [0, []],
  ])("returns equally distant positions of %i", (count, indexes) =>
    expect(tickIndexes(count)).toEqual(indexes),
  );
});
