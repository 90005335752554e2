import { describe, expect, it } from "vitest";
import { describeInvisible } from "./invisible.ts";

describe("describeInvisible", () => {
  it.each([
    [{ a: ["b", { "c d": 1 }], e: "line\n\tline" }, undefined],
    [{ a: ["b", "c\u{e0041}"] }, '"/a/1"'],
    [{ "a\u200b": { b: "\u202e" } }, '"/a", "/a/b"'],
    [{ "a\nb": 1 }, '"/ab"'],
    [Array.from({ length: 9 }, () => "\u2800"), '"/0", "/1", "/2", "/3", "/4" and others'],
  ])("describes the places in %j", (value, places) => {
    expect(describeInvisible(value)).toBe(places);
  });
});
