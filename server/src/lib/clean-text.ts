import { withoutInvisible } from "./invisible.ts";

const lineBreaks = /\r\n|[\r\u0085\u2028\u2029]/g;

/** An untrusted text as one visible line of limited length. */
export function cleanLine(text: string, maxLength: number): string {
  const line = text.replaceAll(/[\s\u0085]+/gu, " ");
  return shorten(withoutInvisible(line).trim(), maxLength);
}

/** An untrusted text without invisible characters, of limited length. Line breaks stay. */
export function cleanText(text: string, maxLength: number): string {
  const lines = text.replaceAll(lineBreaks, "\n").replaceAll("\t", "  ").split("\n");
  const cleaned = lines.map((line) => withoutInvisible(line).trimEnd()).join("\n");
  return shorten(cleaned.trim(), maxLength);
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text
    .slice(0, maxLength - 1)
    .toWellFormed()
    .replaceAll("\ufffd", "")
    .trimEnd()}…`;
}
