import { expect, test } from "vitest";
import { createLruMap } from "./lru.ts";

test("contains the most recently used entries", () => {
  const map = createLruMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.get("a");
  map.set("c", 3);
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([1, undefined, 3]);
});

test("contains as many entries as fit by their sizes, and always the last one", () => {
  const map = createLruMap<string, string>(10, { max: 5, of: (value) => value.length });
  const shown = () => ["a", "b", "c"].map((key) => map.get(key));
  map.set("a", "12");
  map.set("b", "12");
  map.set("b", "123");
  expect(shown()).toEqual(["12", "123", undefined]);
  map.set("c", "123");
  expect(shown()).toEqual([undefined, undefined, "123"]);
  map.set("a", "1234567");
  expect(shown()).toEqual(["1234567", undefined, undefined]);
});
