import { toLine } from "../terminal/text.ts";

/** A text as one word of a command that a user may copy to a shell. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text)) return text;
  // Control characters, and marks of styles, cannot be typed.
  const typed = text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, "?");
  return `'${typed.replaceAll("'", String.raw`'\''`)}'`;
}

const maxLineLength = 200;

/** A text of the service in one line, without the characters that mark styles. */
export function plainLine(text: string): string {
  return toLine(text.replaceAll(/[\uE000-\uE00F]/g, "?"), maxLineLength);
}
