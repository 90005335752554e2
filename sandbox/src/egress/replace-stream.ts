import { Transform } from "node:stream";

/** Bytes to find in a stream, and their replacement. */
export type Replacement = { find: Buffer; put: Buffer; onPut?: (() => void) | undefined };

/**
 * Replaces bytes in a stream, also across chunks. Holds back at most the length of the longest search string. If two
 * matches start at the same offset, the longer one is replaced.
 */
export function replaceStream(replacements: readonly Replacement[]): Transform {
  const wanted = replacements
    .filter(({ find }) => find.length > 0)
    .toSorted((one, other) => other.find.length - one.find.length);
  const longest = wanted[0]?.find.length ?? 0;
  let held: Buffer = Buffer.alloc(0);
  const pass = (bytes: Buffer, isLast: boolean): Buffer[] => {
    const out: Buffer[] = [];
    let from = 0;
    const findNext = createFinder(bytes, wanted);
    for (;;) {
      const next = findNext(from);
      if (next === undefined) break;
      // A longer match may start here and continue in the next chunk.
      if (!isLast && next.at + longest > bytes.length) break;
      out.push(bytes.subarray(from, next.at), next.put);
      next.onPut?.();
      from = next.at + next.length;
    }
    const keepFrom = isLast ? bytes.length : Math.max(from, bytes.length - longest + 1);
    out.push(bytes.subarray(from, keepFrom));
    held = Buffer.from(bytes.subarray(keepFrom));
    return out;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pushAll(this, pass(held.length === 0 ? chunk : Buffer.concat([held, chunk]), false));
      done();
    },
    flush(done) {
      pushAll(this, pass(held, true));
      done();
    },
  });
}

// As one chunk: a body that consists only of matches would otherwise produce tens of thousands of pieces.
function pushAll(stream: Transform, parts: readonly Buffer[]): void {
  const [only] = parts;
  const all = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  if (all.length > 0) stream.push(all);
}

type Found = Omit<Replacement, "find"> & { at: number; length: number };

/** Finds the first match from an offset. Searches for each string again only after its last match was passed. */
function createFinder(bytes: Buffer, wanted: readonly Replacement[]) {
  const offsets = wanted.map(() => -1);
  return (from: number): Found | undefined => {
    let first: Replacement | undefined;
    let firstAt = Infinity;
    for (let index = 0; index < wanted.length; index += 1) {
      const one = wanted[index];
      let at = offsets[index] ?? -1;
      if (at < from && one !== undefined) {
        at = bytes.indexOf(one.find, from);
        if (at === -1) at = Infinity;
        offsets[index] = at;
      }
      if (at >= firstAt) continue;
      first = one;
      firstAt = at;
    }
    if (first === undefined) return undefined;
    return { at: firstAt, length: first.find.length, put: first.put, onPut: first.onPut };
  };
}
