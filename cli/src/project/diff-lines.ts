import { styled } from "../terminal/text.ts";

type Line = { kind: " " | "+" | "-"; text: string };

const contextLines = 3;
/** Beyond it, finding the shortest difference would take too long; the middle is then shown as replaced. */
const maxEdits = 600;

/** The difference of two texts as unified diff, with styles. Empty if they are the same. */
export function diffLines(before: string, after: string): string[] {
  if (before === after) return [];
  const lines = editScript(splitLines(before), splitLines(after));
  const shown = new Set<number>();
  for (const [at, { kind }] of lines.entries()) {
    if (kind === " ") continue;
    for (let near = at - contextLines; near <= at + contextLines; near++) shown.add(near);
  }
  const result: string[] = [];
  let last = -1;
  for (const [at, { kind, text }] of lines.entries()) {
    if (!shown.has(at)) continue;
    if (at !== last + 1) result.push(styled("cyan", `@@ line ${lineNumber(lines, at)} @@`));
    last = at;
    const line = `${kind}${text}`;
    result.push(kind === " " ? line : styled(kind === "+" ? "green" : "red", line));
  }
  return result;
}

const splitLines = (text: string) => (text === "" ? [] : text.split("\n"));

function lineNumber(lines: readonly Line[], at: number): number {
  return lines.slice(0, at).filter(({ kind }) => kind !== "-").length + 1;
}

/** The lines of both texts, each kept, added or removed. */
function editScript(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  ) {
    end++;
  }
  const same = (lines: readonly string[]) => lines.map((text): Line => ({ kind: " ", text }));
  return [
    ...same(a.slice(0, start)),
    ...editsBetween(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

/** Myers' greedy algorithm. */
function editsBetween(a: readonly string[], b: readonly string[]): Line[] {
  const trace: Map<number, number>[] = [];
  const reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(a.length + b.length, maxEdits); edits++) {
    trace.push(new Map(reach));
    for (let k = -edits; k <= edits; k += 2) {
      let x = step(reach, k, edits);
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(trace, a, b);
    }
  }
  return [
    ...a.map((text): Line => ({ kind: "-", text })),
    ...b.map((text): Line => ({ kind: "+", text })),
  ];
}

/** Where diagonal `k` continues: down from the one above, or right from the one below. */
function step(reach: ReadonlyMap<number, number>, k: number, edits: number): number {
  const above = reach.get(k + 1) ?? -1;
  const below = reach.get(k - 1) ?? -1;
  return k === -edits || (k !== edits && below < above) ? above : below + 1;
}

function walkBack(
  trace: readonly Map<number, number>[],
  a: readonly string[],
  b: readonly string[],
) {
  const lines: Line[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] ?? new Map<number, number>();
    const k = x - y;
    const isDown =
      k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const fromK = isDown ? k + 1 : k - 1;
    const fromX = reach.get(fromK) ?? 0;
    const fromY = fromX - fromK;
    while (x > fromX && y > fromY) {
      lines.push({ kind: " ", text: a[--x] ?? "" });
      y--;
    }
    if (edits === 0) break;
    if (isDown) lines.push({ kind: "+", text: b[--y] ?? "" });
    else lines.push({ kind: "-", text: a[--x] ?? "" });
  }
  return lines.toReversed();
}
