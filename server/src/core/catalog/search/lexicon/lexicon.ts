import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stem } from "../analyze.ts";
import type { Alternative } from "../near-terms.ts";

/**
 * What is known about words apart from the tools of a workspace: which others mean the same, and how common they are in
 * tools at large. Words are stems, weights range from 0 to 1.
 */
export type Lexicon = {
  /** Terms that tools may use instead of a term. */
  alternativesTo(term: string): readonly Alternative[];
  /** Terms that tools may use for words in sequence, such as "how big". The words are not stemmed. */
  meaningOf(phrase: string): readonly Alternative[] | undefined;
  /** How many of 10,000 tools use a term; undefined if none is known to. */
  frequencyOf(term: string): number | undefined;
  isEnglish(term: string): boolean;
  /** The terms that tools are known to use. */
  commonTerms(): Iterable<string>;
};

/** Below this frequency, a term may be a name or a foreign word. */
const minEnglish = 10;
const curatedWeight = 1;

let loaded: Lexicon | undefined;

/** The lexicon, which is read on first use. */
export function getLexicon(): Lexicon {
  loaded ??= loadLexicon();
  return loaded;
}

function loadLexicon(): Lexicon {
  const { synonyms, phrases } = readSynonyms(readLines("synonyms.txt"));
  const background = new Map<string, number>();
  for (const line of readLines("background.txt")) {
    const [term = "", count] = line.split(" ");
    background.set(term, Number(count));
  }
  const wordNet = new Map<string, string>();
  for (const line of readLines("wordnet.txt")) {
    const end = line.indexOf(" ");
    wordNet.set(line.slice(0, end), line.slice(end + 1));
  }
  const merged = new Map<string, readonly Alternative[]>();
  return {
    alternativesTo(term) {
      const known = merged.get(term);
      if (known !== undefined) return known;
      const curated = synonyms.get(term);
      const listed = wordNet.get(term);
      // Queries contain arbitrary words, so only known ones are cached.
      if (curated === undefined && listed === undefined) return [];
      const alternatives = mergeAlternatives(curated ?? new Set(), listed ?? "");
      merged.set(term, alternatives);
      return alternatives;
    },
    meaningOf: (phrase) => phrases.get(phrase),
    frequencyOf: (term) => background.get(term),
    isEnglish: (term) =>
      (background.get(term) ?? 0) >= minEnglish || wordNet.has(term) || synonyms.has(term),
    commonTerms: () => background.keys(),
  };
}

/** Reads a file beside this one, without comments. */
export function readLines(name: string): string[] {
  const text = readFileSync(join(import.meta.dirname, name), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/** A line of WordNet's alternatives: a term and its weight in hundredths, in turn. */
function mergeAlternatives(curated: ReadonlySet<string>, listed: string): Alternative[] {
  const alternatives: Alternative[] = [...curated].map((term) => [term, curatedWeight]);
  const parts = listed === "" ? [] : listed.split(" ");
  for (let at = 0; at < parts.length; at += 2) {
    const term = parts[at] ?? "";
    if (!curated.has(term)) alternatives.push([term, Number(parts[at + 1]) / 100]);
  }
  return alternatives;
}

/**
 * Reads groups of words. In a line without `>` every word may replace the others; otherwise those to the right may
 * replace those to the left. A word with underscores is a phrase, which occurs on the left only.
 */
function readSynonyms(lines: readonly string[]) {
  const synonyms = new Map<string, Set<string>>();
  const phrases = new Map<string, Alternative[]>();
  const add = (word: string, others: readonly string[]) => {
    if (word.includes("_")) {
      const phrase = word.replaceAll("_", " ");
      const meaning = others.map((other): Alternative => [other, curatedWeight]);
      phrases.set(phrase, [...(phrases.get(phrase) ?? []), ...meaning]);
      return;
    }
    const term = stem(word);
    const known = synonyms.get(term) ?? new Set();
    for (const other of others) if (other !== term) known.add(other);
    synonyms.set(term, known);
  };
  for (const line of lines) {
    const [left = "", right] = line.split(">").map((side) => side.trim().split(/\s+/));
    const others = (right ?? Array.from(left)).map(stem);
    for (const word of left) add(word, others);
  }
  return { synonyms, phrases };
}
