import { describe, expect, test } from "vitest";
import { jsonDifferences } from "./json-diff.ts";

describe("the differences of two JSON values", () => {
  test("are none for the same, whatever the order of members", () => {
    expect(jsonDifferences({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toEqual(
      [],
    );
  });

  test("are told by their places", () => {
    const before = { same: true, changed: 1, gone: "x", deep: { list: [1, 2, 3] } };
    const after = { same: true, changed: 2, deep: { list: [1, 5] }, come: null };
    expect(jsonDifferences(before, after)).toEqual([
      { path: "/changed", before: 1, after: 2 },
      { path: "/gone", before: "x", after: undefined },
      { path: "/deep/list/1", before: 2, after: 5 },
      { path: "/deep/list/2", before: 3, after: undefined },
      { path: "/come", before: undefined, after: null },
    ]);
  });

  test("are one where the kinds differ", () => {
    expect(jsonDifferences({ a: [] }, { a: {} })).toEqual([{ path: "/a", before: [], after: {} }]);
    expect(jsonDifferences(undefined, 1)).toEqual([{ path: "", before: undefined, after: 1 }]);
  });

  test("name members with odd names by JSON pointer", () => {
    const before = JSON.parse('{"a/b": {"~": 1}, "__proto__": 1}');
    const after = JSON.parse('{"a/b": {"~": 2}, "__proto__": 2}');
    expect(jsonDifferences(before, after).map(({ path }) => path)).toEqual([
      "/a~1b/~0",
      "/__proto__",
    ]);
  });

  test("end somewhere", () => {
    const list = Array.from({ length: 5_000 }, (_, at) => at);
    expect(jsonDifferences(list, [])).toHaveLength(200);
  });
});
