const maxCommentLength = 1_000;

/** A text as a doc comment, cut where it is long, or nothing. No text ends the comment that it stands in. */
export function comment(text: string | undefined, indent: string): string {
  const clean = (text ?? "")
    .slice(0, maxCommentLength)
    .toWellFormed()
    .replaceAll("*/", "*\\/")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .replace(/[\u2028\u2029]/g, "\n")
    .trim();
  if (clean === "") return "";
  const lines = clean.split("\n").map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${clean} */\n`;
  const body = lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("");
  return `${indent}/**\n${body}${indent} */\n`;
}

/** A property's name as a type's member has it. */
export function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** A text or another single value as the type of just that value. */
export function literal(value: string | number | boolean | null): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** The name of a type that speaks of a text: its words, each with a capital. */
export function typeName(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
    .slice(0, 60);
}
