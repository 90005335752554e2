import { attributes, endsUnmistakable, isUnmistakable, kindAt, setOf } from "./secret-names.ts";
import { wordsOf } from "./words-of.ts";

const requests = setOf(
  "enter type provide paste supply input insert fill choose specify geben gib eingeben entrez saisissez introduce introduzca ingrese digite inserisci введите",
);
/** Words that request something of the reader only with "your" or "me". */
const weakRequests = setOf("give send share submit need tell create confirm verify write put know");
/** Words that request what follows "with". */
const withRequests = setOf("reply respond answer authenticate");
const readers = setOf("your me us");
const questions = setOf("what whats");
const owners = setOf("your my the ihr dein tu su votre seu");
const breaks = setOf("to of for with without when if that which because");
const negations = setOf("not never t");
const closings = setOf("please here now below again bitte");
/** Words between a request and the secret: "enter the current AWS secret key". */
const maxDistance = 5;
/** Longer than what a tool may ask, so that no secret hides behind other text. */
const maxText = 10_000;

/** Whether a sentence asks to enter a secret, as "Enter your password" does, and "Reset the password?" does not. */
export function asksForSecret(text: string): boolean {
  return text
    .slice(0, maxText)
    .split(/[.!?;:\n()"“”]+/)
    .some(asks);
}

function asks(sentence: string): boolean {
  // "Do not enter your name, PIN or address" negates all parts of its list.
  let isNegated = false;
  return sentence.split(",").some((part) => {
    const words = wordsOf(part.replaceAll(/['’]s\b/g, "s"), maxText);
    const last = words.findLastIndex((word) => !closings.has(word));
    const isFound = words.some((_, at) => {
      const place = { at, isLast: at >= last, isNegated };
      return isSecretAt(words, at) && isRequested(words, place);
    });
    isNegated ||= words.some((word) => negations.has(word));
    return isFound;
  });
}

function isSecretAt(words: readonly string[], at: number): boolean {
  if (attributes.has(words[at + 1] ?? "")) return false;
  const start = Math.max(0, at - 1);
  const pair = words.slice(start, at + 1);
  return (
    kindAt(pair, at - start) === "secret" ||
    isUnmistakable(pair, words[at + 1]) ||
    endsUnmistakable(words.slice(Math.max(0, at - 2), at + 1))
  );
}

/** `isLast` if nothing but closings follow, `isNegated` if a part before this one has a negation. */
type Place = { at: number; isLast: boolean; isNegated: boolean };

function isRequested(words: readonly string[], { at, isLast, isNegated }: Place): boolean {
  for (let from = at - 1; from >= 0 && from >= at - maxDistance; from -= 1) {
    const word = words[from] ?? "";
    if (word === "with" && withRequests.has(words[from - 1] ?? "")) return true;
    if (breaks.has(word)) return false;
    const isOfReader = words.slice(from, at).some((one) => readers.has(one));
    const isRequest = requests.has(word) || (isOfReader && weakRequests.has(word));
    if (isRequest || (isLast && questions.has(word))) {
      return !words.slice(Math.max(0, from - 2), from).some((one) => negations.has(one));
    }
    if (from === 0 && isLast && owners.has(word)) return true;
  }
  // The sentence is only the name of the secret, such as "API key".
  return isLast && !isNegated && (at === 0 || (at === 1 && !isSecretAt(words.slice(1), 0)));
}
