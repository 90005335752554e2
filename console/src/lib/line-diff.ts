import { diffArrays } from "diff";

/** A line of either text; both texts have the `same` ones. */
export type DiffLine = { kind: "same" | "added" | "removed"; text: string };

/** The search takes quadratic time in the number of changes, so beyond this number all changed lines are shown as replaced. */
const maxChanges = 1_200;

/** Compares two texts line by line, with the fewest changes possible. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = splitLines(before);
  const current = splitLines(after);
  const changes = diffArrays(old, current, { maxEditLength: maxChanges });
  if (changes === undefined) return replaceMiddle(old, current);
  return changes.flatMap(({ value, added, removed }) =>
    toDiffLines(added ? "added" : removed ? "removed" : "same", value),
  );
}

function splitLines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function toDiffLines(kind: DiffLine["kind"], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}

/** Keeps the lines that both texts start and end with, and shows everything between them as replaced. */
function replaceMiddle(old: readonly string[], current: readonly string[]): DiffLine[] {
  const maxShared = Math.min(old.length, current.length);
  let start = 0;
  while (start < maxShared && old[start] === current[start]) start += 1;
  let end = 0;
  while (end < maxShared - start && old.at(-1 - end) === current.at(-1 - end)) end += 1;
  return [
    ...toDiffLines("same", old.slice(0, start)),
    ...toDiffLines("removed", old.slice(start, old.length - end)),
    ...toDiffLines("added", current.slice(start, current.length - end)),
    ...toDiffLines("same", old.slice(old.length - end)),
  ];
}

/** Lines to show, or the number of unchanged lines left out. */
export type Hunk = { skipped: number } | { lines: DiffLine[]; oldStart: number; newStart: number };

/** Leaves out unchanged lines, except for some around each change. */
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
