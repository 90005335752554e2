import { describe, expect, test } from "vitest";
import { findRange } from "./use-window.ts";

const keys = Array.from({ length: 2_000 }, (_, index) => `item ${index}`);

describe("findRange", () => {
  test("returns the items near the window, wherever the page is scrolled to", () => {
    const heightOf = () => 40;
    const bottom = 900;
    expect(findRange(keys, heightOf, { top: 200, bottom })).toEqual({ start: 0, end: 38 });
    expect(findRange(keys, heightOf, { top: -40_000, bottom })).toEqual({ start: 979, end: 1043 });
    const end = { top: -79_100, bottom };
    expect(findRange(keys, heightOf, end)).toEqual({ start: 1957, end: 2_000 });
    expect(findRange([], heightOf, { top: 0, bottom })).toEqual({ start: 0, end: 0 });
  });

  test("counts the heights of the items themselves", () => {
    const heightOf = (key: string) => (key === "item 0" ? 5_000 : 40);
    expect(findRange(keys, heightOf, { top: -5_000, bottom: 100 }).start).toBe(0);
    expect(findRange(keys, heightOf, { top: -6_000, bottom: 100 }).start).toBe(5);
  });
});
