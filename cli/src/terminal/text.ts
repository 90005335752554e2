/** Marks of a style within a text. Only `toTerminalText` turns them into escape sequences, so data can contain none. */
const styles = {
  bold: ["\uE000", "\u001B[1m"],
  dim: ["\uE001", "\u001B[2m"],
  red: ["\uE002", "\u001B[31m"],
  green: ["\uE003", "\u001B[32m"],
  yellow: ["\uE004", "\u001B[33m"],
  cyan: ["\uE005", "\u001B[36m"],
} as const;
const end = "\uE00F";
const reset = "\u001B[0m";

const sequences: ReadonlyMap<string, string> = new Map([...Object.values(styles), [end, reset]]);

export type Style = keyof typeof styles;

/** Marks a text, which is shown in this style where the terminal supports it. */
export function styled(style: Style, text: string): string {
  return `${styles[style][0]}${text}${end}`;
}

/**
 * Characters that a terminal interprets, or that change the order of a line: controls, C1 controls, bidirectional overrides,
 * and separators of lines.
 */
const unsafe =
  // oxlint-disable-next-line no-control-regex -- these are what it finds
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g;
const marks = /[\uE000-\uE005\uE00F]/g;

/**
 * Makes a text harmless for a terminal, whatever it contains: control characters, which also start escape sequences, are shown
 * as their code. Styles become escape sequences, or nothing without color.
 */
export function toTerminalText(text: string, hasColor: boolean): string {
  let isStyled = false;
  const clean = text.replaceAll("\r\n", "\n").replaceAll(unsafe, visible);
  const shown = clean.replaceAll(marks, (mark) => {
    isStyled = mark !== end;
    return hasColor ? (sequences.get(mark) ?? "") : "";
  });
  return hasColor && isStyled ? shown + reset : shown;
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}

const escape = (character: string) =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

/** JSON that is harmless on a terminal as well: JSON itself does not escape C1 controls and bidirectional overrides. */
export function toJsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? "null";
  return text.replaceAll(
    /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g,
    escape,
  );
}

/** Shortens a text to one line. */
export function toLine(text: string, maxLength: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/** Replaces line breaks, of any kind, by spaces. */
export function withoutBreaks(text: string): string {
  return text.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, " ");
}

/** Aligns columns with spaces. The last column is not padded. */
export function toTable(cells: readonly (readonly string[])[]): string[] {
  // A line break in a text of the service could fake a row.
  const rows = cells.map((row) => row.map(withoutBreaks));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? cell : cell + " ".repeat((widths[at] ?? 0) - widthOf(cell)),
      )
      .join("  ")
      .trimEnd(),
  );
}

const widthOf = (cell: string) => cell.replaceAll(marks, "").length;
