import { toTerminalText } from "../terminal/text.ts";

type Change = { folder: string; state: string; lines: readonly string[] };

/** GitHub accepts 65,536 characters, with the mark of the comment. */
const maxCharacters = 60_000;
const maxLines = 400;
const maxLineCharacters = 1_000;

/**
 * A comment for a pull request. What it quotes can be hostile, so it is in a fence that it cannot close, and mentions of people in
 * it notify no one.
 */
export function toMarkdown(changes: readonly Change[]): string[] {
  if (changes.length === 0) return ["**Toolhost:** no tool changes."];
  const count = changes.length === 1 ? "1 tool" : `${changes.length} tools`;
  const parts: string[] = [`**Toolhost:** a push changes ${count}.`, ""];
  let left = maxCharacters;
  for (const [at, change] of changes.entries()) {
    const part = describeChange(change, left);
    left -= sizeOf(part);
    if (left < 0) return [...parts, `${changes.length - at} more tools.`];
    parts.push(...part);
  }
  return parts;
}

/** Counts what is written, after control characters became longer. */
const sizeOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);

function describeChange({ folder, state, lines }: Change, left: number): string[] {
  const head = `**${folder}**: ${state}`;
  const shown: string[] = [];
  // Half of the space for the lines is left for the fences, which are as long as what they contain.
  let space = left / 2;
  for (const line of lines.slice(0, maxLines)) {
    const text = shorten(toTerminalText(line.slice(0, maxLineCharacters), false), line.length);
    space -= text.length + 1;
    if (space < 0) break;
    shown.push(text);
  }
  if (shown.length === 0) return [head, ""];
  const runs = shown.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = "`".repeat(Math.max(2, ...runs.map(({ length }) => length)) + 1);
  const rest = lines.length - shown.length;
  const more = rest > 0 ? [`${rest} more lines.`] : [];
  return [head, "", `${fence}diff`, ...shown, fence, ...more, ""];
}

function shorten(text: string, length: number): string {
  const isWhole = length <= maxLineCharacters && text.length <= maxLineCharacters;
  return isWhole ? text : `${text.slice(0, maxLineCharacters).toWellFormed()}…`;
}
