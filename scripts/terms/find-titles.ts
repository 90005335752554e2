import type { Region } from "./scan-source.ts";

/** A test's title and the position of its call. */
export type Title = { title: string; at: number };

const call =
  /(?:it|test)(?:\.(?:only|skip|todo|fails|concurrent|sequential|each|for|skipIf|runIf))*\s*(?=\()/y;
const literal = /\(\s*(["'`])((?:[^\\]|\\.)*?)\1/y;

/** Returns the position after the closing parenthesis of the one at `start`. */
function skipArguments(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const character = source[at];
    if (character === '"' || character === "'" || character === "`") {
      const end = source.indexOf(character, at + 1);
      if (end === -1) return source.length;
      at = end;
    } else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at + 1;
  }
  return source.length;
}

/** Returns the titles of `it` and `test` calls, including `it.each(…)(title)` and the like. */
export function findTitles(source: string, regions: readonly Region[]): Title[] {
  const titles: Title[] = [];
  for (const { kind, start, end } of regions) {
    const word = source.slice(start, end);
    if (kind !== "name" || (word !== "it" && word !== "test") || source[start - 1] === ".")
      continue;
    call.lastIndex = start;
    const callee = call.exec(source)?.[0];
    if (callee === undefined) continue;
    const open = start + callee.length;
    const takesArguments = /\.(?:each|for|skipIf|runIf)\s*$/.test(callee);
    literal.lastIndex = takesArguments ? skipArguments(source, open) : open;
    const title = literal.exec(source)?.[2];
    if (title !== undefined) titles.push({ title, at: start });
  }
  return titles;
}

/** First words that end in "s" and are nouns, pronouns or adverbs. */
const otherWords = new Set(
  `this its his theirs ours yours us as plus thus always sometimes perhaps unless besides afterwards
  towards others ones news status alias chaos series canvas https agents apps bytes clients codes
  columns connections credentials days dialects headers images ids inputs invitations jobs labels
  members methods migrations minutes nodes objects outputs pages packages paths platforms properties
  providers queries roles rows schemas scopes seconds secrets servers services sessions settings
  symbols tables teams templates threads tokens tools types users values versions widgets words
  workers workspaces`.split(/\s+/),
);

/** Follows a plural noun rather than a verb: "runs of a workspace", "files are deleted". */
const afterNoun = /^(?:of|are|were|have|do|may|can|must|get|stay|and their)\b/;

/** Guesses whether a title starts with a verb in the third person, such as "returns" or "rejects". */
export function isPlainTitle(title: string): boolean {
  const [, first, rest = ""] = /^([a-z]+)(?:[\s,:]+(.*))?$/s.exec(title) ?? [];
  if (first === undefined || !/[^s]s$/.test(first) || otherWords.has(first)) return false;
  return !afterNoun.test(rest);
}
