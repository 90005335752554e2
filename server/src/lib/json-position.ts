/** A place in a text, counted from 1. */
export type Position = { line: number; column: number };

/**
 * Where the member that `path` leads to starts when `value` is written as JSON with two spaces of
 * indent, as editors show it. A path that leads nowhere ends at the last member that exists.
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

/** The parts of a JSON pointer (RFC 6901). */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
