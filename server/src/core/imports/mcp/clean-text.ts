/** Characters that a reader does not see, but a model reads: controls, formatting, tags, fillers, private use. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const lineBreaks = /\r\n|[\r\u0085\u2028\u2029]/g;

/** Whether a text contains characters that a reader does not see. */
export function hasInvisible(text: string): boolean {
  return text.replaceAll(/[\n\t]/g, "").search(invisible) >= 0;
}

/** A text as readers see it. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(invisible, "");
}

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
