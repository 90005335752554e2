/** A position in a text, counted from 1. */
export type Position = { line: number; column: number };

/**
 * The position of the member at `path`, if `value` is written as JSON with an indent of two spaces, as in editors. If
 * the path does not exist, the position of the last existing member on it.
 */
export function positionIn(value: unknown, path: readonly string[]): Position {
  let line = 1;
  let depth = 0;
  let current = value;
  for (const part of path) {
    if (typeof current !== "object" || current === null) break;
    const members = Object.entries(current);
    const index = members.findIndex(([name]) => name === part);
    const found = members[index];
    if (found === undefined) break;
    for (const [, before] of members.slice(0, index)) line += lineCount(before);
    line += 1;
    depth += 1;
    current = found[1];
  }
  return { line, column: depth * 2 + 1 };
}

function lineCount(value: unknown): number {
  return JSON.stringify(value, null, 2).split("\n").length;
}
