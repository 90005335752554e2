const maxCommentLength = 1_000;

/** Formats text as a doc comment, truncated where it is long; empty for no text. The text cannot end the comment. */
export function docComment(text: string | undefined, indent: string): string {
  const lines = (text ?? "")
    .slice(0, maxCommentLength)
    .toWellFormed()
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, "")
    .trim()
    .split("\n")
    .map((line) => line.trimEnd());
  // Last, because each removal can bring a star and a slash together.
  const escaped = lines.map((line) => line.replaceAll("*/", "*\\/"));
  if (lines.length === 1) return lines[0] === "" ? "" : `${indent}/** ${escaped[0]} */\n`;
  const body = escaped.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("");
  return `${indent}/**\n${body}${indent} */\n`;
}

/** A property name as the key of a type's member, quoted if necessary. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literalType(name);
}

/** The literal type of a value. */
export function literalType(value: string | number | boolean | null): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** Converts text to the name of a type in PascalCase. */
export function toTypeName(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
    .slice(0, 60);
}
