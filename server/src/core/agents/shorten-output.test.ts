import { describe, expect, it } from "vitest";
import { valueAt } from "./output-part.ts";
import { shorten } from "./shorten-output.ts";

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

  const nested = (value: unknown, depth: number, key = "a"): unknown =>
    depth === 0 ? value : { [key]: nested(value, depth - 1, key) };

  it.each([
    ["a long name", { ["n".repeat(100_000)]: 1 }],
    ["a long name in a list", [{ ["n".repeat(100_000)]: 1 }]],
    ["a long text far down", nested("x".repeat(100_000), 45)],
    ["a long list far down", nested(Array(1_000).fill("x".repeat(100)), 45)],
    ["long names all the way down", nested(Array(30).fill("x".repeat(300)), 35, "n".repeat(25))],
    ["control characters", { text: "\u0001".repeat(990) }],
    ["lone surrogates", { text: "\ud800".repeat(990) }],
    ["control characters in names", { ["\u0001".repeat(400)]: "x".repeat(500) }],
  ])("does not exceed the limit for %s, and reports a cut", (_, value) => {
    const { value: preview, shortened } = shorten(value, 1_000);
    expect(sizeOf([preview, shortened])).toBeLessThanOrEqual(1_000 * 1.2);
    expect(shortened.length).toBeGreaterThan(0);
  });

  it("looks at no more of a value than fits", () => {
    const value = Array(50).fill(Array(50).fill(Array(50).fill(Array(50).fill("text"))));
    const before = process.threadCpuUsage();
    expect(sizeOf(shorten(value, 1_000).value)).toBeLessThan(1_000);
    expect(process.threadCpuUsage(before).user).toBeLessThan(50_000);
  });
});
