import { describe, expect, it } from "vitest";
import { oneOf, positiveInteger, searchParams, text } from "./search-params.ts";

describe("searchParams", () => {
  const validate = searchParams({ q: text, tab: oneOf(["run", "docs"]), version: positiveInteger });

  it("reads each parameter by its type", () => {
    expect(validate({ q: "a b", tab: "docs", version: "12" })).toEqual({
      q: "a b",
      tab: "docs",
      version: 12,
    });
  });

  it("drops wrong values and unknown names, and keeps every known name", () => {
    const hostile = { q: ["a"], tab: "__proto__", version: "1e9", constructor: "x", other: "y" };
    expect(Object.entries(validate(hostile))).toEqual([
      ["q", undefined],
      ["tab", undefined],
      ["version", undefined],
    ]);
  });

  it("ignores values of any type without an exception", () => {
    for (const value of [null, {}, [], Object.create(null), Number.NaN, Symbol("x"), 1n]) {
      expect(validate({ q: value, tab: value, version: value }).q).toBeUndefined();
    }
  });
});

describe("positiveInteger", () => {
  it.each(["0", "-1", "1.5", "01", "1234567890", "", " 1", undefined])("rejects %s", (value) => {
    expect(positiveInteger(value)).toBeUndefined();
  });
});
