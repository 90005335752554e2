import { finish } from "#lib/steps";
import type { Steps } from "#lib/steps";
import { stem } from "../analyze.ts";
import { editDistance } from "#lib/edit-distance";
import { createNearTerms } from "../near-terms.ts";
import type { Alternative } from "../near-terms.ts";
import { addWord, createVocabulary } from "../vocabulary.ts";
import type { Vocabulary } from "../vocabulary.ts";
import { readLines } from "./read-lines.ts";

/**
 * What is known about words apart from the tools of a workspace: which others mean the same, and how common they are in
 * tools at large. Words are stems; weights are relative to the word itself.
 */
export type Lexicon = {
  /** Terms that tools may use instead of a term. */
  alternativesTo(term: string): readonly Alternative[];
  /** Terms that tools may use for words in sequence, such as "how big". The words are not stemmed. */
  meaningOf(phrase: string): readonly Alternative[] | undefined;
  /** Whether a word starts a phrase with a meaning. */
  startsPhrase(word: string): boolean;
  /** Common terms that a word may be a typing error of, best first. */
  correctionsOf(word: string, term: string): string[];
  /** How many of 10,000 tools use a term; undefined if none is known to. */
  frequencyOf(term: string): number | undefined;
  isEnglish(term: string): boolean;
};

type Synonyms = {
  terms: Map<string, Set<string>>;
  phrases: Map<string, Alternative[]>;
  phraseStarts: Set<string>;
};

/** Below this frequency, a term may be a name or a foreign word. */
const minEnglish = 10;
/** Weight of a term with the same meaning. Those of WordNet weigh up to as much. */
const synonymWeight = 0.35;
const phraseWeight = 0.5;
const maxCorrections = 2;

let loaded: Lexicon | undefined;

/** The lexicon, which is read on first use. */
export function getLexicon(): Lexicon {
  loaded ??= finish(loadLexicon());
  return loaded;
}

/** Reads the lexicon in steps of a few milliseconds. */
export function* loadLexicon(): Steps<Lexicon> {
  const synonyms = yield* readSynonyms(readLines("synonyms.txt"));
  yield;
  const background = new Map<string, number>();
  for (const line of readLines("background.txt")) {
    const end = line.indexOf(" ");
    background.set(line.slice(0, end), Number(line.slice(end + 1)));
  }
  yield;
  const wordNet = new Map<string, string>();
  for (const line of readLines("wordnet.txt")) {
    const end = line.indexOf(" ");
    wordNet.set(line.slice(0, end), line.slice(end + 1));
  }
  yield;
  const vocabulary = createVocabulary();
  for (const word of background.keys()) addWord(vocabulary, word);
  yield;
  loaded ??= createLexicon(synonyms, { background, wordNet, vocabulary });
  return loaded;
}

type Words = {
  background: ReadonlyMap<string, number>;
  wordNet: ReadonlyMap<string, string>;
  /** The words of `background`. */
  vocabulary: Vocabulary;
};

function createLexicon(
  { terms, phrases, phraseStarts }: Synonyms,
  { background, wordNet, vocabulary }: Words,
): Lexicon {
  const merged = new Map<string, readonly Alternative[]>();
  const nearCommon = createNearTerms(vocabulary);
  return {
    alternativesTo(term) {
      const known = merged.get(term);
      if (known !== undefined) return known;
      const curated = terms.get(term);
      const listed = wordNet.get(term);
      // Queries contain arbitrary words, so only known ones are cached.
      if (curated === undefined && listed === undefined) return [];
      const alternatives = mergeAlternatives(curated ?? new Set(), listed ?? "");
      merged.set(term, alternatives);
      return alternatives;
    },
    meaningOf: (phrase) => phrases.get(phrase),
    startsPhrase: (word) => phraseStarts.has(word),
    correctionsOf(word, term) {
      return nearCommon(word, term, false)
        .map(([other]) => other)
        .filter((other) => editDistance(term, other, 1) === 1)
        .slice(0, maxCorrections);
    },
    frequencyOf: (term) => background.get(term),
    isEnglish: (term) =>
      (background.get(term) ?? 0) >= minEnglish || wordNet.has(term) || terms.has(term),
  };
}

/** A line of WordNet's alternatives: a term and its weight in hundredths, in turn. */
function mergeAlternatives(curated: ReadonlySet<string>, listed: string): Alternative[] {
  const alternatives = Array.from(curated, (term): Alternative => [term, synonymWeight]);
  const parts = listed === "" ? [] : listed.split(" ");
  for (let at = 0; at < parts.length; at += 2) {
    const term = parts[at] ?? "";
    const weight = (synonymWeight * Number(parts[at + 1])) / 100;
    if (!curated.has(term)) alternatives.push([term, weight]);
  }
  return alternatives;
}

/**
 * Reads groups of words. In a line without `>` every word may replace the others; otherwise those to the right may
 * replace those to the left. A word with underscores is a phrase, which occurs on the left only.
 */
function* readSynonyms(lines: readonly string[]): Steps<Synonyms> {
  const synonyms: Synonyms = { terms: new Map(), phrases: new Map(), phraseStarts: new Set() };
  for (const [number, line] of lines.entries()) {
    const [left = "", right] = line.split(">").map((side) => side.trim().split(/\s+/));
    const others = (right ?? Array.from(left)).map(stem);
    for (const word of left) {
      if (word.includes("_")) addPhrase(synonyms, word.split("_"), others);
      else addSynonyms(synonyms, stem(word), others);
    }
    if (number % 100 === 0) yield;
  }
  return synonyms;
}

function addSynonyms({ terms }: Synonyms, term: string, others: readonly string[]): void {
  const known = terms.get(term) ?? new Set();
  for (const other of others) if (other !== term) known.add(other);
  terms.set(term, known);
}

function addPhrase(
  { phrases, phraseStarts }: Synonyms,
  words: readonly string[],
  others: readonly string[],
): void {
  const phrase = words.join(" ");
  const meaning = others.map((other): Alternative => [other, phraseWeight]);
  phrases.set(phrase, [...(phrases.get(phrase) ?? []), ...meaning]);
  phraseStarts.add(words[0] ?? "");
}
