/** A line of either text; `same` ones stand in both. */
export type DiffLine = { kind: "same" | "added" | "removed"; text: string };

/** Beyond so many differences the rest is said to be replaced, so that no text takes long. */
const maxDifferences = 1_200;

/** What changed from one text to another, line by line, with as few changes as there can be (Myers, 1986). */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before === "" ? [] : before.split("\n");
  const young = after === "" ? [] : after.split("\n");
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < young.length - start &&
    old[old.length - 1 - end] === young[young.length - 1 - end]
  ) {
    end += 1;
  }
  return [
    ...old.slice(0, start).map(same),
    ...diffMiddle(old.slice(start, old.length - end), young.slice(start, young.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

function same(text: string): DiffLine {
  return { kind: "same", text };
}

function diffMiddle(old: readonly string[], young: readonly string[]): DiffLine[] {
  const trace = findPath(old, young);
  if (trace !== undefined) return walkBack(trace, old, young);
  return [
    ...old.map((text): DiffLine => ({ kind: "removed", text })),
    ...young.map((text): DiffLine => ({ kind: "added", text })),
  ];
}

/** For each number of differences, how far each diagonal reaches; undefined when there are too many. */
function findPath(old: readonly string[], young: readonly string[]): Int32Array[] | undefined {
  const trace: Int32Array[] = [];
  const most = Math.min(old.length + young.length, maxDifferences);
  let reach = new Int32Array([0, 0, 0]);
  for (let count = 0; count <= most; count += 1) {
    // Diagonals from -count to count, with one more at either side.
    const next = new Int32Array(2 * count + 3);
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let x = startOf(reach, diagonal, count);
      while (x < old.length && x - diagonal < young.length && old[x] === young[x - diagonal])
        x += 1;
      next[diagonal + count + 1] = x;
      if (x >= old.length && x - diagonal >= young.length) return [...trace, next];
    }
    trace.push(next);
    reach = next;
  }
  return undefined;
}

/** Where a diagonal begins with one difference more: below its left neighbor, or right of its lower one. */
function startOf(reach: Int32Array, diagonal: number, count: number): number {
  if (count === 0) return 0;
  const at = (which: number) => reach[which + count] ?? 0;
  const isDown = diagonal === -count || (diagonal !== count && at(diagonal - 1) < at(diagonal + 1));
  return isDown ? at(diagonal + 1) : at(diagonal - 1) + 1;
}

function walkBack(
  trace: readonly Int32Array[],
  old: readonly string[],
  young: readonly string[],
): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = old.length;
  let y = young.length;
  for (let count = trace.length - 1; count >= 0; count -= 1) {
    const diagonal = x - y;
    const from = count === 0 ? 0 : startOf(trace[count - 1] ?? new Int32Array(), diagonal, count);
    while (x > from) {
      x -= 1;
      y -= 1;
      lines.push({ kind: "same", text: old[x] ?? "" });
    }
    if (count === 0) break;
    const reach = trace[count - 1] ?? new Int32Array();
    const at = (which: number) => reach[which + count] ?? 0;
    const isDown =
      diagonal === -count || (diagonal !== count && at(diagonal - 1) < at(diagonal + 1));
    if (isDown) {
      y -= 1;
      lines.push({ kind: "added", text: young[y] ?? "" });
    } else {
      x -= 1;
      lines.push({ kind: "removed", text: old[x] ?? "" });
    }
  }
  return lines.toReversed();
}

/** Lines to show, or how many that did not change are left out. */
export type Hunk = { skipped: number } | { lines: DiffLine[]; oldStart: number; newStart: number };

/** Leaves out what did not change, but for some lines around what did. */
export function toHunks(lines: readonly DiffLine[], around = 3): Hunk[] {
  const isShown = lines.map(() => false);
  lines.forEach(({ kind }, at) => {
    if (kind === "same") return;
    for (let near = at - around; near <= at + around; near += 1) {
      if (near >= 0 && near < lines.length) isShown[near] = true;
    }
  });
  const hunks: Hunk[] = [];
  let oldLine = 1;
  let newLine = 1;
  lines.forEach((line, at) => {
    const last = hunks.at(-1);
    if (isShown[at] !== true) {
      if (last !== undefined && "skipped" in last) last.skipped += 1;
      else hunks.push({ skipped: 1 });
    } else if (last !== undefined && "lines" in last) last.lines.push(line);
    else hunks.push({ lines: [line], oldStart: oldLine, newStart: newLine });
    if (line.kind !== "added") oldLine += 1;
    if (line.kind !== "removed") newLine += 1;
  });
  return hunks;
}
