import { describe, expect, it } from "vitest";
import { wordSimilarity } from "./word-similarity.ts";

describe("wordSimilarity", () => {
  it.each([
    ["kitch", "kitchen"],
    ["s", "slow"],
    ["chati", "chatti"],
    ["wether", "weather"],
    ["waether", "weather"],
    ["weathar", "weather"],
    ["weatherr", "weather"],
  ])("finds %s similar to %s", (typed, word) => {
    expect(wordSimilarity(typed, word)).toBeGreaterThan(0);
  });

  it.each([
    ["low", "slow"],
    ["cat", "car"],
    ["wehtaer", "weather"],
    ["weather", "kitchen"],
  ])("finds %s unrelated to %s", (typed, word) => {
    expect(wordSimilarity(typed, word)).toBe(0);
  });

  it("rates longer prefixes higher", () => {
    expect(wordSimilarity("weathe", "weather")).toBeGreaterThan(wordSimilarity("we", "weather"));
    expect(wordSimilarity("weather", "weather")).toBe(1);
  });
});
