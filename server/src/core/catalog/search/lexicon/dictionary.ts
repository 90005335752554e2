import { finish } from "#lib/steps";
import type { Steps } from "#lib/steps";
import { stem } from "../analyze.ts";
import type { Run } from "../analyze.ts";
import { chatWords, stopWords } from "../stop-words.ts";
import type { Lexicon } from "./lexicon.ts";
import { readLines } from "./read-lines.ts";

/** A word of another language: which language, and what it means in English. */
type Entry = { language: number; english: readonly string[] };

type Dictionary = {
  /** By word and by every stem of it, without accents. */
  words: Map<string, Entry[]>;
  functionWords: Set<string>[];
};

export type Translation = {
  /** The English meaning of words, by the word. */
  words: Map<string, readonly string[]>;
  /** The English meaning of parts of texts without spaces. */
  meanings: { text: string; english: readonly string[] }[];
  /** The words in the query that only serve its grammar. */
  functionWords: ReadonlySet<string>;
};

const suffixes = ["ungen", "en", "er", "em", "es", "e", "n", "s", "os", "as", "a", "o", "i", "r"];
const minStem = 4;
/** Shorter words have too many stems in common. */
const minInflected = 5;
const maxUnspaced = 8;
const minPart = 4;
/** Looking for the parts of a word takes time that grows with the square of its length. */
const maxWordLength = 60;
const none: Translation = { words: new Map(), meanings: [], functionWords: new Set() };

let loaded: Dictionary | undefined;

/** Finds the English meaning of words in other languages. Words that are English mean what they say, unless others are foreign. */
export function translateQuery(runs: readonly Run[], lexicon: Lexicon): Translation {
  loaded ??= finish(loadDictionary());
  const dictionary = loaded;
  const words = runs.filter(({ isUnspaced }) => !isUnspaced).map(({ text }) => text);
  const meanings = runs.flatMap(({ text, isUnspaced }) =>
    isUnspaced ? findParts(dictionary, text) : [],
  );
  const language = detectLanguage(dictionary, words, lexicon);
  if (language === undefined) return meanings.length === 0 ? none : { ...none, meanings };
  const functionWords = dictionary.functionWords[language] ?? new Set();
  const translated = new Map<string, readonly string[]>();
  for (const word of words) {
    if (functionWords.has(word)) continue;
    const english = findWord(dictionary, word, language);
    if (english !== undefined) translated.set(word, english);
  }
  return { words: translated, meanings, functionWords };
}

/** Reads the dictionary in steps of a few milliseconds. */
export function* loadDictionary(): Steps<Dictionary> {
  const words = new Map<string, Entry[]>();
  const functionWords: Set<string>[] = [];
  for (const [number, line] of readLines("dictionary.txt").entries()) {
    if (number % 40 === 0) yield;
    const [english = [], ...columns] = line.split("|").map((column) => column.trim().split(/\s+/));
    for (const [language, column] of columns.entries()) {
      if (english[0] === "*") functionWords[language] = new Set(column);
      else for (const word of column) addEntry(words, word, { language, english });
    }
  }
  loaded ??= { words, functionWords };
  return loaded;
}

function addEntry(words: Map<string, Entry[]>, word: string, entry: Entry): void {
  if (word === "" || word === "-") return;
  for (const form of stemsOf(word)) {
    const known = words.get(form);
    if (known === undefined) words.set(form, [entry]);
    else known.push(entry);
  }
}

/** A word without accents, and without each suffix that it may have, longest first. */
function stemsOf(word: string): string[] {
  const plain = word
    .normalize("NFD")
    .replace(/\p{Mn}+/gu, (marks) => (/[\u3099\u309a]/u.test(marks) ? marks : ""))
    .normalize("NFC")
    .replaceAll("ß", "ss");
  if (plain.length < minInflected) return [plain];
  const stems = suffixes
    .filter((suffix) => plain.endsWith(suffix) && plain.length - suffix.length >= minStem)
    .map((suffix) => plain.slice(0, -suffix.length));
  return [plain, ...stems.toSorted((left, right) => right.length - left.length)];
}

/**
 * The language with the most words in the query, unless more words are English. Function words that texts of tools have
 * too, such as "de", count only next to other words of the language.
 */
function detectLanguage(
  dictionary: Dictionary,
  words: readonly string[],
  lexicon: Lexicon,
): number | undefined {
  const isEnglish = (word: string) =>
    stopWords.has(word) || chatWords.has(word) || lexicon.isEnglish(stem(word));
  const foreignWords = words.filter((word) => !isEnglish(word));
  const others = words.filter(
    (word) => !foreignWords.includes(word) && !stopWords.has(word) && !chatWords.has(word),
  );
  let best: number | undefined;
  let most = 0;
  for (const [language, functionWords] of dictionary.functionWords.entries()) {
    const found = foreignWords.filter(
      (word) => functionWords.has(word) || findWord(dictionary, word, language) !== undefined,
    ).length;
    const count = found === 0 ? 0 : found + others.filter((word) => functionWords.has(word)).length;
    if (count > most) [best, most] = [language, count];
  }
  const own = dictionary.functionWords[best ?? -1] ?? new Set();
  const englishCount = words.filter((word) => stopWords.has(word) && !own.has(word)).length;
  // One foreign word in a long query is likely to be a name.
  return most > englishCount && (most >= 2 || words.length <= 3) ? best : undefined;
}

function findWord(
  dictionary: Dictionary,
  word: string,
  language: number,
): readonly string[] | undefined {
  if (word.length > maxWordLength) return undefined;
  const whole = findSimple(dictionary, word, language);
  if (whole !== undefined || word.length < 2 * minPart) return whole;
  // German joins words; the last one says what the compound is.
  for (let end = word.length - minPart; end >= minPart; end -= 1) {
    const first = findSimple(dictionary, word.slice(0, end), language);
    if (first === undefined) continue;
    const second = findSimple(dictionary, word.slice(end), language);
    if (second !== undefined) return [...first, ...second];
  }
  return undefined;
}

function findSimple(dictionary: Dictionary, word: string, language: number) {
  for (const form of stemsOf(word)) {
    const entries = dictionary.words.get(form)?.filter((entry) => entry.language === language);
    if (entries !== undefined && entries.length > 0)
      return entries.flatMap((entry) => entry.english);
  }
  return undefined;
}

/** The longest known words in a text without spaces, from its start. */
function findParts(dictionary: Dictionary, text: string): Translation["meanings"] {
  const found: Translation["meanings"] = [];
  for (let start = 0; start < text.length; start += 1) {
    for (let end = Math.min(text.length, start + maxUnspaced); end > start; end -= 1) {
      const part = text.slice(start, end);
      const entries = dictionary.words.get(part);
      if (entries === undefined) continue;
      found.push({ text: part, english: entries.flatMap((entry) => entry.english) });
      start = end - 1;
      break;
    }
  }
  return found;
}
