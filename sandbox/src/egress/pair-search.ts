/** Bits of an entry in the table of byte pairs: a match may start with the two bytes, or contain them after its first byte. */
export const STARTS = 1;
export const CONTINUES = 2;

/** Whether this machine is little-endian. */
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

export function pairIndex(first: number, second: number): number {
  return isLittleEndian ? first | (second << 8) : (first << 8) | second;
}

/** The bytes as 16-bit words, without an unpaired byte at the start or end. */
export function wordsOf(bytes: Uint8Array): Uint16Array {
  const from = bytes.byteOffset + (bytes.byteOffset & 1);
  const count = Math.max(0, bytes.byteOffset + bytes.length - from) >> 1;
  return new Uint16Array(bytes.buffer, from, count);
}

/**
 * The first offset at which a match may start, or the end. Looks at every second pair, because a match that starts with
 * the second byte of a pair is visible in the next one.
 */
export function nextPair(
  bytes: Uint8Array,
  words: Uint16Array,
  pairs: Uint8Array,
  from: number,
): number {
  const shift = bytes.byteOffset & 1;
  const mayStart = (at: number) => {
    if (at >= bytes.length - 1) return at === bytes.length - 1;
    return ((pairs[pairIndex(bytes[at] ?? 0, bytes[at + 1] ?? 0)] ?? 0) & STARTS) !== 0;
  };
  let at = from;
  while (at < bytes.length) {
    const word = (at - shift + 1) >> 1;
    if (word * 2 + shift > at && mayStart(at)) return at;
    const next = nextWord(words, pairs, word) * 2 + shift;
    if (next - 1 > at && mayStart(next - 1)) return next - 1;
    if (mayStart(next)) return next;
    if (mayStart(next + 1)) return next + 1;
    at = next + 2;
  }
  return bytes.length;
}

function nextWord(words: Uint16Array, pairs: Uint8Array, from: number): number {
  const bits = (word: number) => pairs[words[word] ?? 0] ?? 0;
  const last = words.length - 4;
  let word = from;
  while (word <= last && (bits(word) | bits(word + 1) | bits(word + 2) | bits(word + 3)) === 0) {
    word += 4;
  }
  while (word < words.length && bits(word) === 0) word += 1;
  return word;
}
