import { stemmer } from "stemmer";
import { chatWords, stopWords } from "./stop-words.ts";

/** Longer than real words; text without spaces must not become one huge term. */
const maxWordLength = 40;
const maxCachedStems = 20_000;

/** Where a camel-case identifier splits; the plural of an acronym, as in "mergePDFs", stays whole. */
const caseChange =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?![\p{Ll}]))/gu;
/** Zero-width characters, marks of direction and the like would split a word that looks whole, or hide it. */
const invisible = /\p{Default_Ignorable_Code_Point}+/gu;
/**
 * Marks beyond as many as any language has on a letter: sorting them takes time that grows with their square. Narrow
 * voiced marks of kana become marks when they are normalized.
 */
const excessMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const apostrophes = /['’]s\b|['’]/gu;

/** Han, kana, Hangul, Thai, Lao, Burmese and Khmer: spaces do not show where their words end. */
const unspaced =
  /[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\u{20000}-\u{3ffff}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/u;
const runs = new RegExp(
  `(?:(?=[\\p{L}\\p{M}])${unspaced.source})+|(?:(?!${unspaced.source})[\\p{L}\\p{M}])+|\\p{N}+`,
  "gu",
);

const stems = new Map<string, string>();

/** Turns a tool's text into index terms, in order and with repeats. Never throws. */
export function analyzeText(text: string): string[] {
  return wordsOf(text).map(stem);
}

/** The same words before they become terms. */
export function wordsOf(text: string): string[] {
  return splitWords(text).filter((word) => !stopWords.has(word));
}

/** Letters or digits in sequence; of scripts without spaces, all up to the next other character. */
export type Run = { text: string; isUnspaced: boolean };

/** Splits a text into lower-case runs; identifiers at underscores and capitals. */
export function splitRuns(text: string): Run[] {
  const plain = text
    .replace(excessMarks, "$1")
    .normalize("NFKC")
    // NFKC may expand a single character to eighteen.
    .slice(0, Math.max(1_000, text.length * 2))
    .replace(invisible, "")
    .replace(caseChange, " ")
    .toLowerCase()
    .replace(apostrophes, "");
  return Array.from(plain.matchAll(runs), ([run]) => ({
    text: run,
    isUnspaced: unspaced.test(run),
  }));
}

/** The words of a run: itself, or overlapping bigrams if spaces do not separate its words. */
export function wordsOfRun({ text, isUnspaced }: Run): string[] {
  return isUnspaced ? bigrams(text) : [text.slice(0, maxWordLength)];
}

function splitWords(text: string): string[] {
  return splitRuns(text).flatMap(wordsOfRun);
}

/**
 * The words of a query as typed and as terms, for search as you type. A stop word counts only if it is the whole query,
 * since it may be the prefix of another word.
 */
export function wordsToMatch(query: string): string[][] {
  const words = splitWords(query);
  const telling = words.filter((word) => !stopWords.has(word) && !chatWords.has(word));
  const compared = words.length === 1 ? words : telling;
  return compared.map((word) => [...new Set([word, stem(word)])]);
}

function bigrams(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);
}

/** The Porter stem of a lower-case word. */
export function stem(word: string): string {
  if (word.length < 3) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  // Queries contain arbitrary words, so the cache is cleared when it is full.
  if (stems.size >= maxCachedStems) stems.clear();
  const copy = copied(word);
  const made = stemmer(copy);
  stems.set(copy, made);
  return made;
}

/** In V8 a slice of 13 or more characters retains the whole text, so long words are copied. */
function copied(word: string): string {
  return word.length < 13 ? word : Array.from(word).join("");
}
