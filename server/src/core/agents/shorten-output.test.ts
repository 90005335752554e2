import { describe, expect, it } from "vitest";
import { shorten, sliceOf, valueAt } from "./shorten-output.ts";

const sizeOf = (value: unknown) => JSON.stringify(value).length;
const rows = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `Row ${id}`, note: "x".repeat(100) }));

describe("shorten", () => {
  it("returns a value that fits unchanged", () => {
    const value = { rows: rows(10), text: "short" };
    expect(shorten(value, 20_000)).toEqual({ value, shortened: [] });
  });

  it.each([
    ["a long array", { rows: rows(4_000) }],
    ["a long text", { text: "word ".repeat(100_000) }],
    ["many fields", Object.fromEntries(rows(5_000).map((row) => [`key${row.id}`, row]))],
    ["nested arrays", { pages: Array.from({ length: 30 }, () => rows(200)) }],
    ["many texts", { texts: Array.from({ length: 300 }, () => "y".repeat(5_000)) }],
  ])("shortens %s to the limit, and says what is cut", (_, value) => {
    const { value: preview, shortened } = shorten(value, 20_000);
    expect(sizeOf(preview)).toBeLessThanOrEqual(20_000 * 1.2);
    expect(sizeOf(preview)).toBeGreaterThan(500);
    expect(shortened.length).toBeGreaterThan(0);
    for (const { path, shown, total } of shortened) {
      expect(shown).toBeLessThan(total);
      const part = valueAt(value, path);
      const parts = typeof part === "string" ? part : Object.keys(part as object);
      expect(parts).toHaveLength(total);
    }
  });

  it("keeps the shape of the value, and characters whole", () => {
    const { value } = shorten({ "a/b": ["😀".repeat(20_000)], n: 1, is: true, no: null }, 1_001);
    expect(value).toMatchObject({ n: 1, is: true, no: null });
    const [text] = (value as { "a/b": string[] })["a/b"];
    expect(text?.isWellFormed()).toBe(true);
  });

  it("leaves out what is nested too deep", () => {
    let value: unknown = "x".repeat(2_000);
    for (let depth = 0; depth < 5_000; depth++) value = [value];
    expect(sizeOf(shorten(value, 1_000).value)).toBeLessThan(1_000);
  });

  it("does not depend on the size of the value", () => {
    const value = { rows: rows(1) };
    value.rows.length = 50_000_000;
    expect(shorten(value, 1_000).shortened[0]).toMatchObject({ path: "/rows", total: 50_000_000 });
  });
});

describe("sliceOf", () => {
  it("takes items, characters and fields", () => {
    expect(sliceOf([1, 2, 3, 4], { offset: 1, limit: 2 })).toMatchObject({
      value: [2, 3],
      total: 4,
      unit: "items",
    });
    expect(sliceOf("abcdef", { offset: 4, limit: 9 })).toMatchObject({ value: "ef", total: 6 });
    expect(sliceOf({ a: 1, b: 2, c: 3 }, { offset: 1, limit: 1 })).toMatchObject({
      value: { b: 2 },
      unit: "fields",
    });
    expect(sliceOf(17, { offset: 0, limit: 1 })).toBeUndefined();
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
