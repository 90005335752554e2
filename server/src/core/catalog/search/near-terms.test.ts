import { describe, expect, it } from "vitest";
import { createNearTerms } from "./near-terms.ts";
import { addWord, createVocabulary, deleteWord } from "./vocabulary.ts";

function vocabularyOf(...words: string[]) {
  const vocabulary = createVocabulary();
  for (const word of words) addWord(vocabulary, word);
  return vocabulary;
}

const termsOf = (found: readonly (readonly [string, number])[]) => found.map(([term]) => term);

describe("createNearTerms", () => {
  const near = createNearTerms(vocabularyOf("weather", "cost", "currenc", "tempera"));

  it.each([
    ["weathr", ["weather"]],
    ["curenc", ["currenc"]],
    ["curren", ["currenc"]],
    ["teleport", []],
    ["cos", []],
  ])("finds the words similar to %s", (word, expected) => {
    expect(termsOf(near(word, word, false))).toEqual(expected);
  });

  it("does not take a correct word for a typing error", () => {
    expect(termsOf(near("coast", "coast", false))).toEqual(["cost"]);
    expect(near("coasts", "coast", true)).toEqual([]);
  });

  it("follows changes of the vocabulary", () => {
    const vocabulary = vocabularyOf("invoice");
    const find = createNearTerms(vocabulary);
    expect(termsOf(find("invoce", "invoce", false))).toEqual(["invoice"]);
    deleteWord(vocabulary, "invoice");
    expect(find("invoce", "invoce", false)).toEqual([]);
    addWord(vocabulary, "invoices");
    expect(termsOf(find("invoice", "invoice", false))).toEqual(["invoices"]);
  });

  it("compares words of the same length first, and not all of a vast vocabulary", () => {
    const vocabulary = createVocabulary();
    const numbered = (count: number, length: number) =>
      Array.from({ length: count }, (_, at) => `w${String(at).padStart(length - 1, "0")}`);
    for (const word of numbered(100_000, 9)) addWord(vocabulary, word);
    addWord(vocabulary, "weather");
    for (const word of numbered(100_000, 7)) addWord(vocabulary, word);
    const find = createNearTerms(vocabulary);
    const before = process.threadCpuUsage();
    expect(termsOf(find("wether", "wether", false))).toEqual(["weather"]);
    for (let at = 0; at < 10; at += 1) find(`weathr${at}`, `weathr${at}`, false);
    expect(process.threadCpuUsage(before).user).toBeLessThan(150_000);
  });
});
