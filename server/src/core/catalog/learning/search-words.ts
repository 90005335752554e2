import { wordsToMatch } from "../search/analyze.ts";

/** What is stored of a query: its words, and their stems in an order that does not depend on that of the words. */
export type SearchWords = { words: string; terms: string };

/** A longer text is a task or pasted content rather than a search. */
const maxCharacters = 200;
const maxWords = 10;
/** Unfinished words that are searched as someone types. */
const minCharacters = 3;
const maxWordCharacters = 24;
/** Words with more changes of case, such as "aGVsbG8", are likely to be encoded. */
const maxCaseChanges = 2;

/**
 * The words of a query that may be stored; undefined if none may. Keys, passwords with digits, addresses, numbers and
 * encoded data are left out, and long texts as a whole. Nothing else of the query is stored.
 */
export function toSearchWords(query: string): SearchWords | undefined {
  if (query.length > maxCharacters) return undefined;
  const tokens = query.split(/\s+/).filter(isPlain).join(" ");
  const matched = wordsToMatch(tokens).slice(0, maxWords + 1);
  if (matched.length === 0 || matched.length > maxWords) return undefined;
  const words = matched.map(([word = ""]) => word).join(" ");
  if (words.length < minCharacters) return undefined;
  const terms = new Set(matched.map((forms) => forms.at(-1) ?? ""));
  return { words, terms: [...terms].toSorted().join(" ") };
}

function isPlain(token: string): boolean {
  const word = token.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  if (word.length > maxWordCharacters) return false;
  if (!/^[\p{L}\p{M}'’-]+$/u.test(word)) return false;
  return (word.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0) <= maxCaseChanges;
}
