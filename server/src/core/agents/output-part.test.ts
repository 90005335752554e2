import { describe, expect, it } from "vitest";
import { sliceOf, valueAt } from "./output-part.ts";

const maxCharacters = 1_000;

describe("sliceOf", () => {
  it("takes items, characters and fields", () => {
    expect(sliceOf([1, 2, 3, 4], { offset: 1, limit: 2, maxCharacters })).toMatchObject({
      value: [2, 3],
      total: 4,
      unit: "items",
    });
    expect(sliceOf("abcdef", { offset: 4, limit: 9, maxCharacters })).toMatchObject({
      value: "ef",
      total: 6,
    });
    expect(sliceOf({ a: 1, b: 2, c: 3 }, { offset: 1, limit: 1, maxCharacters })).toMatchObject({
      value: { b: 2 },
      unit: "fields",
    });
    expect(sliceOf(17, { offset: 0, limit: 1, maxCharacters })).toBeUndefined();
  });

  it.each([1, 2, 7, 1_000])("takes each character of a text once, %d at a time", (limit) => {
    const text = "a😀\u0001b".repeat(300);
    const parts: string[] = [];
    for (let offset = 0; offset < text.length;) {
      const slice = sliceOf(text, { offset, limit, maxCharacters });
      const part = String(slice?.value);
      expect(part.isWellFormed()).toBe(true);
      expect(JSON.stringify(part).length).toBeLessThanOrEqual(maxCharacters);
      parts.push(part);
      offset += slice?.count ?? Infinity;
    }
    expect(parts.join("")).toBe(text);
  });

  it("takes as many parts as fit, but at least one", () => {
    const countOf = (value: unknown) =>
      sliceOf(value, { offset: 1, limit: Infinity, maxCharacters })?.count;
    expect(countOf(Array(100).fill("x".repeat(97)))).toBe(9);
    expect(countOf(Array(100).fill("x".repeat(5_000)))).toBe(1);
    expect(countOf(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 1])))).toBe(
      122,
    );
    expect(countOf([1])).toBe(0);
  });

  it("takes parts of a value with many small parts quickly", () => {
    const rows = Array(40).fill(Array(40).fill(Array(40).fill("some text")));
    const before = process.threadCpuUsage();
    for (let at = 0; at < 10; at += 1)
      sliceOf(rows, { offset: at, limit: Infinity, maxCharacters: 20_000 });
    expect(process.threadCpuUsage(before).user).toBeLessThan(100_000);
  });
});

describe("valueAt", () => {
  it("follows a JSON Pointer through own fields only", () => {
    const value = { "a/b": [{ "~": 1 }], rows: [[2]] };
    expect(valueAt(value, "")).toBe(value);
    expect(valueAt(value, "/a~1b/0/~0")).toBe(1);
    expect(valueAt(value, "/rows/0/0")).toBe(2);
    for (const path of ["/rows/1", "/rows/length", "/constructor", "/__proto__", "/rows/0/0/x"]) {
      expect(valueAt(value, path)).toBeUndefined();
    }
  });
});
