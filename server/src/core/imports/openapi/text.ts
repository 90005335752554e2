import { withoutInvisible } from "#lib/invisible";

/** Text of a document in one line, without most markup and control characters, and shortened to whole words. */
export function toLine(value: unknown, maxLength: number): string {
  if (typeof value !== "string") return "";
  // Everything after this is slower than the rest of a long text is worth.
  const start = value.slice(0, maxLength * 8);
  const plain = start
    .replaceAll(/<\/?(?:a|b|code|em|i|span|strong|tt|u)(?:\s[^<>]{0,500})?>/giu, "")
    .replaceAll(/<\/?[a-z][^<>]{0,500}>/giu, " ")
    // Links become their texts, and marks of Markdown at the start of lines go.
    .replaceAll(/\[([^[\]]{0,200})\]\([^()\s]{0,500}\)/g, "$1")
    .replaceAll(/^[ \t]*(?:>[ \t]*)*(?:\[![A-Z]+\]|#{1,6}[ \t]|>)/gm, " ")
    .replaceAll("**", "")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ");
  return shorten(withoutInvisible(plain).trim(), maxLength);
}

/** Cuts after a sentence if one ends in the second half, otherwise after a word. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, maxLength - 1).toWellFormed();
  const sentence = start.lastIndexOf(". ");
  if (sentence > maxLength / 2) return start.slice(0, sentence + 1);
  const word = start.lastIndexOf(" ");
  return `${start.slice(0, word > maxLength / 2 ? word : start.length).replace(/[\s,;:.]+$/u, "")}…`;
}

/** Words of an identifier, such as `issues/list-for-repo` or `listPetIDs`, as a phrase: "Issues list for repo". */
export function toPhrase(identifier: string): string {
  const words = identifier
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll}{2})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => (/^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()));
  return capitalize(words.join(" "));
}

/** The same text with its first letter in uppercase. */
export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A name of the product's credentials, from words of a document; empty if none are left. */
export function toCredentialName(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase()
    .replaceAll(/^[_0-9]+|_+$/g, "")
    .slice(0, 40)
    .replace(/_+$/, "");
}
