import type { StoredItem } from "./stored-import.ts";

/** What a search compares, in lowercase. All of it is what the document or server says. */
export type SearchText = {
  /** Found by the whole query: key, path, name and title. */
  names: readonly string[];
  /** Words of name, path, title and tags, each after a space. */
  words: string;
  /** All texts. */
  all: string;
};

export function toSearchText({ key, name, title, description, tags }: StoredItem): SearchText {
  const path = key.slice(key.indexOf(" ") + 1);
  const spoken = [name, path, title, ...tags];
  return {
    names: [key, path, name, title].map((text) => text.toLowerCase()),
    words: ` ${spoken.flatMap(wordsOf).join(" ")}`,
    all: [...spoken, key, description].join("\n").toLowerCase(),
  };
}

/** Words and their parts, such as "get" and "pet" of "getPet", which is found as a whole as well. */
function wordsOf(text: string): string[] {
  const parts = text.replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
  return splitWords(text).concat(parts === text ? [] : splitWords(parts));
}

function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** Ranks a text for a query: 0 for a name, path or title, 1 if words start with all of its words, 2 if it contains them, else undefined. */
export function createMatcher(query: string): (text: SearchText) => number | undefined {
  const whole = query.toLowerCase().trim().replaceAll(/\s+/g, " ");
  const terms = [...new Set(whole.split(" ").filter(Boolean))];
  const words = [...new Set(splitWords(whole))].map((word) => ` ${word}`);
  return ({ names, words: text, all }) => {
    if (terms.length === 0 || names.includes(whole)) return 0;
    if (words.length > 0 && words.every((word) => text.includes(word))) return 1;
    return terms.every((term) => all.includes(term)) ? 2 : undefined;
  };
}
