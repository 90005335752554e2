import { expect, test } from "vitest";
import { likenessOf } from "./near-words.ts";

test.each([
  ["kitch", "kitchen"],
  ["s", "slow"],
  ["chati", "chatti"],
  ["wether", "weather"],
  ["waether", "weather"],
  ["weathar", "weather"],
  ["weatherr", "weather"],
])("likenessOf finds %s similar to %s", (typed, word) => {
  expect(likenessOf(typed, word)).toBeGreaterThan(0);
});

test.each([
  ["low", "slow"],
  ["cat", "car"],
  ["wehtaer", "weather"],
  ["weather", "kitchen"],
])("likenessOf finds %s unrelated to %s", (typed, word) => {
  expect(likenessOf(typed, word)).toBe(0);
});

test("likenessOf rates longer prefixes higher", () => {
  expect(likenessOf("weathe", "weather")).toBeGreaterThan(likenessOf("we", "weather"));
  expect(likenessOf("weather", "weather")).toBe(1);
});
