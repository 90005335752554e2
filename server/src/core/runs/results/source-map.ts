/** A position in a file, counted from 0. */
type Position = { line: number; column: number };

/** A position in one of the sources of a map. */
type Original = Position & { source: string };

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const valueOf = new Int8Array(128).fill(-1);
for (const [value, digit] of Array.from(digits).entries()) valueOf[digit.charCodeAt(0)] = value;
const [semicolon, comma] = [0x3b, 0x2c];
const continues = 32;

/**
 * The original positions of positions in generated code, from a source map (version 3); undefined before its first mapping. One
 * pass that stores no mappings, since a map may have millions of them and a stack trace needs a few.
 */
export function findOriginals(
  sourceMap: string,
  wanted: readonly Position[],
): (Original | undefined)[] {
  const { mappings = "", sources = [] } = JSON.parse(sourceMap) as {
    mappings?: string;
    sources?: string[];
  };
  const found: (Original | undefined)[] = wanted.map(() => undefined);
  const open = [...wanted.entries()].toSorted(([, a], [, b]) => compare(a, b));
  let last: Original | undefined;
  let next = 0;
  const resolveBefore = (line: number, column: number) => {
    for (let first = open[next]; first !== undefined; first = open[next]) {
      if (compare(first[1], { line, column }) >= 0) return;
      found[first[0]] = last;
      next += 1;
    }
  };
  const state = [0, 0, 0, 0, 0];
  let line = 0;
  for (let at = 0; at < mappings.length && next < open.length; at += 1) {
    const character = mappings.charCodeAt(at);
    if (character === comma) continue;
    if (character === semicolon) {
      line += 1;
      state[0] = 0;
      continue;
    }
    const { fields, end } = readSegment(mappings, at, state);
    at = end - 1;
    const [column = 0, source = 0, originalLine = 0, originalColumn = 0] = state;
    resolveBefore(line, column);
    last =
      fields < 4
        ? undefined
        : { source: sources[source] ?? "", line: originalLine, column: originalColumn };
  }
  resolveBefore(Infinity, 0);
  return found;
}

/** Adds the numbers of one segment to the state, and returns their count and where the segment ends. */
function readSegment(
  mappings: string,
  start: number,
  state: number[],
): { fields: number; end: number } {
  let at = start;
  let fields = 0;
  for (; at < mappings.length; fields += 1) {
    const character = mappings.charCodeAt(at);
    if (character === comma || character === semicolon) break;
    let value = 0;
    let shift = 0;
    for (let digit = continues; digit >= continues; at += 1, shift += 5) {
      digit = valueOf[mappings.charCodeAt(at)] ?? -1;
      value += (digit & (continues - 1)) << shift;
    }
    state[fields] = (state[fields] ?? 0) + (value & 1 ? -(value >>> 1) : value >>> 1);
  }
  return { fields, end: at };
}

function compare(one: Position, other: Position): number {
  return one.line - other.line || one.column - other.column;
}

const frame = /\btool\.js:(\d+):(\d+)/g;

/**
 * Translates the positions of a stack trace from the bundle to the author's file, using a source map (version 3). Positions that
 * the map does not contain stay as they are.
 */
export function mapStack(stack: string, sourceMap: string, sourceFile: string): string {
  const frames = [...stack.matchAll(frame)];
  if (sourceMap === "" || frames.length === 0) return stack;
  const originals = findOriginals(
    sourceMap,
    frames.map(([, line, column]) => ({ line: Number(line) - 1, column: Number(column) - 1 })),
  ).values();
  return stack.replace(frame, (position) => {
    const original = originals.next().value;
    if (original === undefined) return position;
    const { source, line, column } = original;
    const file = source.includes("node_modules/")
      ? source.slice(source.lastIndexOf("node_modules/"))
      : sourceFile;
    return `${file}:${line + 1}:${column + 1}`;
  });
}
