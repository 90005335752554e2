import { describe, expect, test } from "vitest";
import { jsonDifferences } from "./json-diff.ts";

describe("jsonDifferences", () => {
  test("returns none for equal values, whatever the order of properties", () => {
    expect(jsonDifferences({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toEqual(
      [],
    );
  });

  test("returns each difference with its JSON pointer", () => {
    const before = { same: true, changed: 1, removed: "x", deep: { list: [1, 2, 3] } };
    const after = { same: true, changed: 2, deep: { list: [1, 5] }, added: null };
    expect(jsonDifferences(before, after)).toEqual([
      { path: "/changed", before: 1, after: 2 },
      { path: "/removed", before: "x", after: undefined },
      { path: "/deep/list/1", before: 2, after: 5 },
      { path: "/deep/list/2", before: 3, after: undefined },
      { path: "/added", before: undefined, after: null },
    ]);
  });

  test("returns one difference where the types differ", () => {
    expect(jsonDifferences({ a: [] }, { a: {} })).toEqual([{ path: "/a", before: [], after: {} }]);
    expect(jsonDifferences(undefined, 1)).toEqual([{ path: "", before: undefined, after: 1 }]);
  });

  test("escapes property names in JSON pointers", () => {
    const before = JSON.parse('{"a/b": {"~": 1}, "__proto__": 1}');
    const after = JSON.parse('{"a/b": {"~": 2}, "__proto__": 2}');
    expect(jsonDifferences(before, after).map(({ path }) => path)).toEqual([
      "/a~1b/~0",
      "/__proto__",
    ]);
  });

  test("returns at most 200 differences", () => {
    const list = Array.from({ length: 5_000 }, (_, at) => at);
    expect(jsonDifferences(list, [])).toHaveLength(200);
  });
});
