import { attributes, isUnmistakable, kindAt, setOf } from "./secret-names.ts";
import { wordsOf } from "./words-of.ts";

const requests = setOf(
  "enter type provide paste supply input insert fill choose geben gib eingeben entrez saisissez introduce ingrese digite inserisci введите",
);
/** Words that request something of the reader only with "your" or "me". */
const weakRequests = setOf("give send share submit need tell create confirm write put");
const readers = setOf("your me us");
const questions = setOf("what whats");
const owners = setOf("your my the ihr dein tu su votre seu");
const breaks = setOf("to of for with without when if that which because");
const negations = setOf("not never t");
const closings = setOf("please here now below again bitte");
/** Words between a request and the secret: "enter the current AWS secret key". */
const maxDistance = 5;
const maxText = 4_000;

/** Whether a sentence asks to enter a secret, as "Enter your password" does, and "Reset the password?" does not. */
export function asksForSecret(text: string): boolean {
  const sentences = text.slice(0, maxText).split(/[.!?;:\n()"“”]+/);
  return sentences.some((sentence) => {
    const parts = sentence
      .split(",")
      .map((part) => wordsOf(part.replaceAll(/['’]s\b/g, "s"), maxText));
    return parts.some((words, index) => {
      // "Do not enter your name, PIN or address" negates all parts of its list.
      const isNegated = parts
        .slice(0, index)
        .some((part) => part.some((word) => negations.has(word)));
      return words.some((_, at) => isSecretAt(words, at) && isRequested(words, at, isNegated));
    });
  });
}

function isSecretAt(words: readonly string[], at: number): boolean {
  if (attributes.has(words[at + 1] ?? "")) return false;
  const start = Math.max(0, at - 1);
  const pair = words.slice(start, at + 1);
  return kindAt(pair, at - start) === "secret" || isUnmistakable(pair, words[at + 1]);
}

function isRequested(words: readonly string[], at: number, isNegated: boolean): boolean {
  const isLast = words.slice(at + 1).every((word) => closings.has(word));
  for (let from = at - 1; from >= 0 && from >= at - maxDistance; from -= 1) {
    const word = words[from] ?? "";
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
