import { describe, expect, it } from "vitest";
import { isKey, makeKey } from "./key-format.ts";

describe("key format", () => {
  it("creates unique keys that it recognizes", () => {
    const keys = new Set(Array.from({ length: 1_000 }, () => makeKey()));
    expect(keys.size).toBe(1_000);
    for (const key of keys) expect(isKey(key)).toBe(true);
  });

  it("rejects a key with one character changed, removed or added", () => {
    const key = makeKey();
    const other = key[10] === "a" ? "b" : "a";
    expect(isKey(key.slice(0, 10) + other + key.slice(11))).toBe(false);
    expect(isKey(key.slice(0, -1))).toBe(false);
    expect(isKey(`${key}0`)).toBe(false);
    expect(isKey("")).toBe(false);
  });
});
