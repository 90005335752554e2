import { expect, test } from "vitest";
import { wordSimilarity } from "./word-similarity.ts";

test.each([
  ["kitch", "kitchen"],
  ["s", "slow"],
  ["chati", "chatti"],
  ["wether", "weather"],
  ["waether", "weather"],
  ["weathar", "weather"],
  ["weatherr", "weather"],
])("wordSimilarity finds %s similar to %s", (typed, word) => {
  expect(wordSimilarity(typed, word)).toBeGreaterThan(0);
});

test.each([
  ["low", "slow"],
  ["cat", "car"],
  ["wehtaer", "weather"],
  ["weather", "kitchen"],
])("wordSimilarity finds %s unrelated to %s", (typed, word) => {
  expect(wordSimilarity(typed, word)).toBe(0);
});

test("wordSimilarity rates longer prefixes higher", () => {
  expect(wordSimilarity("weathe", "weather")).toBeGreaterThan(wordSimilarity("we", "weather"));
  expect(wordSimilarity("weather", "weather")).toBe(1);
});
