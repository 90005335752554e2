import { expect, it } from "vitest";
import { stem } from "../analyze.ts";
import { getLexicon, loadLexicon } from "./lexicon.ts";
import { loadWords } from "./load.ts";
import { readLines } from "./read-lines.ts";

it("reads every line of the files", () => {
  for (const line of readLines("synonyms.txt")) {
    expect(line).toMatch(
      /^(?:[a-z0-9]+(?: [a-z0-9]+)+|[a-z0-9_]+(?: [a-z0-9_]+)* > [a-z0-9]+(?: [a-z0-9]+)*)$/,
    );
  }
  const columns = readLines("dictionary.txt").map((line) => line.split("|").length);
  expect(new Set(columns)).toEqual(new Set([7]));
  for (const line of readLines("background.txt")) expect(line).toMatch(/^\S+ [1-9]\d*$/);
  for (const line of readLines("wordnet.txt")) expect(line).toMatch(/^[a-z]+(?: [a-z]+ \d+)+$/);
});

it("knows related words, curated ones first", () => {
  const alternatives = getLexicon().alternativesTo(stem("purchase"));
  expect(alternatives[0]).toEqual([stem("buy"), 0.35]);
  expect(getLexicon().alternativesTo("zzqx")).toEqual([]);
  expect(
    getLexicon()
      .meaningOf("how far")
      ?.map(([term]) => term),
  ).toContain("distanc");
});

it("knows English words and how common they are", () => {
  const lexicon = getLexicon();
  expect(lexicon.isEnglish(stem("weather"))).toBe(true);
  expect(lexicon.isEnglish("wetter")).toBe(false);
  expect(lexicon.frequencyOf("get") ?? 0).toBeGreaterThan(lexicon.frequencyOf("weather") ?? 0);
  expect(lexicon.frequencyOf("zzqx")).toBeUndefined();
});

it("is read in steps, so that others have their turn", async () => {
  const steps = loadLexicon();
  let turns = 0;
  while (steps.next().done !== true) turns += 1;
  expect(turns).toBeGreaterThan(10);
  // A search of another test may have read it.
  await loadWords(() => Promise.resolve());
  await loadWords(() => Promise.reject(new Error("It is read once.")));
});
