import { describe, expect, it } from "vitest";
import { describeDifferences, findDifferences } from "./compare-output.ts";

const partial = { isPartial: true };
const whole = { isPartial: false };
const file = { fileId: "1", url: "https://a.example/1", fileName: "a.txt", size: 3 };

describe("findDifferences", () => {
  it("names each place that differs, with both values", () => {
    const expected = { a: 1, list: [{ "x/y": 1 }, 2], same: { b: [1], c: null } };
    const received = { a: "1", list: [{ "x/y": 2 }, 2], same: { c: null, b: [1] } };
    const found = findDifferences(expected, received, partial);
    expect(found).toEqual([
      { path: "/a", expected: 1, received: "1" },
      { path: "/list/0/x~1y", expected: 1, received: 2 },
    ]);
    expect(describeDifferences(found)).toBe(
      '/a: expected 1, received "1"\n/list/0/x~1y: expected 1, received 2',
    );
  });

  it("accepts more members only if the expected value is a part", () => {
    expect(findDifferences({ a: 1 }, { a: 1, time: 5 }, partial)).toEqual([]);
    expect(findDifferences({ a: 1 }, { a: 1, time: 5 }, whole)).toEqual([
      { path: "/time", expected: undefined, received: 5 },
    ]);
    expect(findDifferences({ a: 1 }, {}, partial)).toEqual([
      { path: "/a", expected: 1, received: undefined },
    ]);
    expect(findDifferences({ constructor: 1 }, {}, partial)).toHaveLength(1);
  });

  it("accepts no more items of a list", () => {
    expect(findDifferences([1], [1, 2], partial)).toEqual([
      { path: "", expected: [1], received: [1, 2] },
    ]);
  });

  it("compares files without their ID and address", () => {
    const next = { ...file, fileId: "2", url: "https://a.example/2" };
    expect(findDifferences({ file }, { file: next }, whole)).toEqual([]);
    expect(findDifferences({ file }, { file: { ...next, size: 4 } }, whole)).toEqual([
      { path: "/file/size", expected: 3, received: 4 },
    ]);
    expect(findDifferences({ file }, { file: { fileName: "a.txt" } }, whole)).toHaveLength(3);
  });
});
