import { CurlError } from "./curl-error.ts";
import { longWithValue, shortNames, shortWithValue } from "./curl-options.ts";
import * as messages from "./messages.ts";

/** An option with its long name and value, or a URL. */
export type Option = { name: string; value: string };

const maxOptions = 2_000;

/** Reads the words after `curl`. A URL is an option of that name. Ends at `--next`, which starts another request. */
export function readOptions(words: readonly string[]): { options: Option[]; hasNext: boolean } {
  const options: Option[] = [];
  const rest = words.toReversed();
  const valueOf = (option: string) => {
    const value = rest.pop();
    if (value === undefined) throw new CurlError(messages.missingValue(option));
    return value;
  };
  for (let word = rest.pop(); word !== undefined; word = rest.pop()) {
    if (options.length > maxOptions) throw new CurlError(messages.tooManyOptions(maxOptions));
    if (word === "--next" || word === "-:") return { options, hasNext: true };
    if (word === "--") {
      for (const value of rest.toReversed()) options.push({ name: "url", value });
      break;
    }
    if (word.startsWith("--")) {
      const [, name = "", given] = /^--([\w.-]+)(?:=([^]*))?/.exec(word) ?? [];
      const value = longWithValue.has(name) ? (given ?? valueOf(`--${name}`)) : "";
      options.push({ name, value });
    } else if (word.startsWith("-") && word !== "-") readShort(word.slice(1), valueOf, options);
    else options.push({ name: "url", value: word });
  }
  return { options, hasNext: false };
}

/** `-sLd a=1` are three options, of which the last has the rest as its value. */
function readShort(letters: string, valueOf: (option: string) => string, options: Option[]): void {
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? "";
    const name = shortNames[letter] ?? letter;
    if (shortWithValue.has(letter)) {
      const rest = letters.slice(at + 1);
      options.push({ name, value: rest === "" ? valueOf(`-${letter}`) : rest });
      return;
    }
    options.push({ name, value: "" });
    if (options.length > maxOptions) throw new CurlError(messages.tooManyOptions(maxOptions));
  }
}
