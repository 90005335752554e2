import { splitRuns, stem, wordsOfRun } from "./analyze.ts";
import type { Run } from "./analyze.ts";
import { translateQuery } from "./lexicon/dictionary.ts";
import type { Lexicon } from "./lexicon/lexicon.ts";
import type { Alternative } from "./near-terms.ts";
import { chatWords, stopWords } from "./stop-words.ts";
import { hintsOf } from "./value-hints.ts";

/** Something that a query means, and the terms by which tools may name it. */
export type QueryTerm = {
  /** The word as a term; undefined for a meaning of several words. */
  term: string | undefined;
  /** The text of the query that means it. */
  word: string;
  kind: "word" | "translation" | "phrase" | "value";
  weight: number;
  alternatives: readonly Alternative[];
  /** Whether a tool without it misses something. A number is usually a value and not a capability. */
  isExpected: boolean;
};

export type ParsedQuery = {
  terms: QueryTerm[];
  /** The terms of the query in order, for pairs of adjacent ones. */
  sequence: string[];
};

const translationWeight = 0.9;
const maxPhraseWords = 3;

/**
 * Turns a query into what it means. Chat words are dropped unless only they remain, since "find" alone may be the name of a
 * tool; so are the function words of other languages.
 */
export function parseQuery(text: string, lexicon: Lexicon): ParsedQuery {
  const runs = splitRuns(text);
  const translation = translateQuery(runs, lexicon);
  const words = runs.filter(({ text: word }) => !translation.functionWords.has(word));
  const telling = tellingWords(words.flatMap(wordsOfRun));
  const sequence = telling.map(stem);
  const terms = new Map<string, QueryTerm>();
  const counts = new Map<string, number>();
  for (const [position, term] of sequence.entries()) {
    const word = telling[position] ?? term;
    const count = (counts.get(term) ?? 0) + 1;
    counts.set(term, count);
    const known = terms.get(term);
    // A word repeated four times weighs twice as much, not four times.
    if (known !== undefined) known.weight = Math.sqrt(count);
    else terms.set(term, toTerm(word, term, translation.words.get(word), lexicon));
  }
  const isTranslated = translation.meanings.length > 0;
  const all = [...terms.values()].map((term) =>
    isTranslated && isUnspacedWord(term.word, words) ? { ...term, isExpected: false } : term,
  );
  const meanings = [
    ...translation.meanings.map(({ text: part, english }) =>
      meaning("translation", part, translated(english, lexicon)),
    ),
    ...phrasesOf(runs, lexicon),
    ...hintsOf(text).map(({ value, words: hinted, weight }) => ({
      ...meaning(
        "value",
        value,
        hinted.map((word): Alternative => [stem(word), weight]),
      ),
      isExpected: false,
    })),
  ];
  return { terms: [...all, ...meanings], sequence };
}

function tellingWords(words: readonly string[]): string[] {
  const meant = words.filter((word) => !stopWords.has(word));
  const telling = meant.filter((word) => !chatWords.has(word));
  return telling.length > 0 ? telling : meant;
}

function toTerm(
  word: string,
  term: string,
  english: readonly string[] | undefined,
  lexicon: Lexicon,
): QueryTerm {
  const synonyms = lexicon.alternativesTo(term);
  const alternatives =
    english === undefined ? synonyms : [...translated(english, lexicon), ...synonyms];
  return { term, word, kind: "word", weight: 1, alternatives, isExpected: !/^\p{N}/u.test(word) };
}

function meaning(
  kind: QueryTerm["kind"],
  word: string,
  alternatives: readonly Alternative[],
): QueryTerm {
  return { term: undefined, word, kind, weight: 1, alternatives, isExpected: true };
}

/** English words as terms, and as weaker alternatives what may stand for them. */
function translated(english: readonly string[], lexicon: Lexicon): Alternative[] {
  const terms = english.map(stem);
  return [
    ...terms.map((term): Alternative => [term, translationWeight]),
    ...terms.flatMap((term) =>
      lexicon
        .alternativesTo(term)
        .map(([other, weight]): Alternative => [other, weight * translationWeight]),
    ),
  ];
}

function phrasesOf(runs: readonly Run[], lexicon: Lexicon): QueryTerm[] {
  const found: QueryTerm[] = [];
  for (let start = 0; start < runs.length; start += 1) {
    let phrase = runs[start]?.text ?? "";
    if (!lexicon.startsPhrase(phrase)) continue;
    for (let next = start + 1; next < Math.min(start + maxPhraseWords, runs.length); next += 1) {
      phrase += ` ${runs[next]?.text ?? ""}`;
      const meant = lexicon.meaningOf(phrase);
      if (meant !== undefined) found.push(meaning("phrase", phrase, meant));
    }
  }
  return found;
}

function isUnspacedWord(word: string, runs: readonly Run[]): boolean {
  return runs.some(({ text, isUnspaced }) => isUnspaced && text.includes(word));
}
