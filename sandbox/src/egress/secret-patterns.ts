import { createHash } from "node:crypto";
import { Automaton, BREAK, SKIP, type Pattern } from "./automaton.ts";
import { ESCAPE_STARTS, mayBeginEscape } from "./escapes.ts";
import { CONTINUES, pairIndex, STARTS } from "./pair-search.ts";
import type { NamedValue } from "./secret.ts";
import { encodeValue } from "./secrets.ts";
import { formsOf, otherEncodingsOf } from "./value-forms.ts";

/** One way to read a text: the symbol of each byte, and the patterns to find in these symbols. */
export type Lane = Alphabet & {
  automaton: Automaton;
  /** The lane's bit in bit sets of lanes. */
  bit: number;
};

type Alphabet = {
  /** The symbol of each byte. */
  symbols: Uint8Array;
  /** The bytes of each symbol. */
  bytesOf: readonly (readonly number[])[];
};

/** Everything that is derived from the values before a text is read. */
export type SecretPatterns = {
  lanes: readonly Lane[];
  /**
   * Computed on first use. By two bytes as one number: whether an encoded value or an escape may start with them, or
   * contain them after its first byte.
   */
  pairs: () => Uint8Array;
  /** By byte: the bits of the lanes in which a pattern starts with it, and a further bit if an escape does. */
  starts: Uint8Array;
};

/** Shorter encodings of a value occur in ordinary texts by chance. */
const MIN_ENCODED_LENGTH = 4;
/** Memory and time of the automaton grow with the length of a value times the number of its encodings. */
const MAX_RESPELLED_LENGTH = 2_048;
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const HEX = "0123456789abcdef";

/** Spaces and plus signs are one symbol, because forms encode spaces as plus signs. */
const text = alphabetOf((symbols) => {
  for (let byte = 0; byte < BREAK; byte += 1) symbols[byte] = byte;
  // 0xfe and 0xff occur only in Latin-1 and UTF-16. They take the symbols of 0xc0 and 0xc1, which UTF-8 never uses.
  symbols[0xfe] = 0xc0;
  symbols[0xff] = 0xc1;
  setEach(symbols, "+", 0x20);
});
const base64 = alphabetOf((symbols) => {
  for (const [value, digit] of Array.from(BASE64).entries()) symbols[digit.charCodeAt(0)] = value;
  setEach(symbols, "-", 62);
  setEach(symbols, "_", 63);
  setEach(symbols, " \t\r\n", SKIP);
});
const hex = alphabetOf((symbols) => {
  for (const [value, digit] of Array.from(HEX).entries()) {
    setEach(symbols, digit + digit.toUpperCase(), value);
  }
  setEach(symbols, " \t\r\n:-", SKIP);
});

/** Used together with the bits of lanes. */
const STARTS_ESCAPE = 8;
/** The bits of all lanes. */
export const ALL_LANES = 7;

/** Caches by list and by content: each run has its own list, usually with the same values. */
const byList = new WeakMap<readonly NamedValue[], SecretPatterns>();
const byContent = new Map<string, SecretPatterns>();
let cachedStates = 0;
/** A state takes about 25 bytes. */
const MAX_CACHED_STATES = 2_000_000;

/** The patterns of values. Cached while in use and for some time afterwards. */
export function patternsOf(secrets: readonly NamedValue[]): SecretPatterns {
  return byList.getOrInsertComputed(secrets, compileOnce);
}

function compileOnce(secrets: readonly NamedValue[]): SecretPatterns {
  const content = JSON.stringify(secrets.map(({ name, value }) => [name, value]));
  const key = createHash("sha256").update(content).digest("base64");
  const patterns = byContent.get(key) ?? compile(secrets);
  if (!byContent.delete(key)) cachedStates += sizeOf(patterns);
  byContent.set(key, patterns);
  for (const [oldest, { lanes }] of byContent) {
    if (cachedStates <= MAX_CACHED_STATES) break;
    byContent.delete(oldest);
    cachedStates -= sizeOf({ lanes });
  }
  return patterns;
}

function sizeOf({ lanes }: Pick<SecretPatterns, "lanes">): number {
  return lanes.reduce((sum, { automaton }) => sum + automaton.depth.length, 0);
}

function compile(secrets: readonly NamedValue[]): SecretPatterns {
  const named = secrets.filter(({ value }) => value !== "");
  const inText = named.flatMap(({ name, value }) => [
    patternOf(name, text, Buffer.from(value)),
    ...textSpellings(value)
      .map((spelling) => patternOf(name, text, spelling))
      .filter(isLong),
  ]);
  const inBase64 = named.flatMap(({ name, value }) =>
    innerSpellings(value)
      .flatMap(base64Of)
      .map((spelling) => patternOf(name, base64, spelling)),
  );
  const inHex = named.flatMap(({ name, value }) =>
    encodingsOf(value).map((bytes) => patternOf(name, hex, Buffer.from(bytes.toString("hex")))),
  );
  const lanes = [
    laneOf(1, text, inText),
    laneOf(2, base64, inBase64.filter(isLong)),
    laneOf(4, hex, inHex.filter(isLong)),
  ];
  let pairs: Uint8Array | undefined;
  return { lanes, pairs: () => (pairs ??= pairsOf(lanes)), starts: startsOf(lanes) };
}

function isLong({ symbols }: Pattern): boolean {
  return symbols.length >= MIN_ENCODED_LENGTH;
}

/** A value, trimmed and untrimmed, in UTF-8 and if possible in Latin-1. */
function encodingsOf(value: string): Buffer[] {
  const values = [...new Set([value, value.trim()])];
  return values.flatMap((one) => [Buffer.from(one), ...otherEncodingsOf(one).latin1]);
}

/** The encodings of a value in a text, apart from escapes. */
function textSpellings(value: string): Buffer[] {
  return formsOf(value).flatMap((form) => {
    const { latin1, utf16 } = otherEncodingsOf(form);
    return [Buffer.from(form), ...latin1, ...utf16];
  });
}

/** The encodings of a value before it was encoded as base64. Only the value itself if it is long. */
function innerSpellings(value: string): Buffer[] {
  if (value.length > MAX_RESPELLED_LENGTH) return encodingsOf(value);
  const json = encodeValue(value, "json");
  const spellings = [
    json,
    asciiJson(json),
    encodeValue(value, "url"),
    new URLSearchParams([["", value]]).toString().slice(1),
  ];
  const others = new Set(spellings.filter((spelling) => spelling !== value));
  return [...encodingsOf(value), ...Array.from(others, (spelling) => Buffer.from(spelling))];
}

/** JSON as written by libraries that escape everything but ASCII. */
function asciiJson(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Base64 of bytes, and for each of the three offsets within a group, the part that does not depend on the bytes before
 * and after them.
 */
function base64Of(bytes: Buffer): Buffer[] {
  const within = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const whole = bytes.toString("base64").replace(/=+$/, "");
  return [...new Set([...within, whole])].map((spelling) => Buffer.from(spelling));
}

function laneOf(bit: number, alphabet: Alphabet, patterns: readonly Pattern[]): Lane {
  return { ...alphabet, bit, automaton: new Automaton(patterns) };
}

function patternOf(name: string, { symbols }: Alphabet, spelling: Uint8Array): Pattern {
  return { name, symbols: spelling.map((byte) => symbols[byte] ?? BREAK) };
}

function alphabetOf(fill: (symbols: Uint8Array) => void): Alphabet {
  const symbols = new Uint8Array(256).fill(BREAK);
  fill(symbols);
  const bytesOf: number[][] = Array.from({ length: 256 }, () => []);
  for (const [byte, symbol] of symbols.entries()) bytesOf[symbol]?.push(byte);
  return { symbols, bytesOf };
}

function setEach(symbols: Uint8Array, characters: string, symbol: number): void {
  for (const byte of Buffer.from(characters)) symbols[byte] = symbol;
}

function pairsOf(lanes: readonly Lane[]): Uint8Array {
  const pairs = new Uint8Array(256 * 256);
  const set = (bits: number) => (first: number, second: number) => {
    const index = pairIndex(first, second);
    pairs[index] = (pairs[index] ?? 0) | bits;
  };
  eachStart(lanes, set(STARTS));
  eachContinuation(lanes, set(CONTINUES));
  // A value of one byte has no pair that could be found.
  const isTiny = lanes.some(({ automaton }) =>
    automaton.childrenOf(0).some((state) => (automaton.matchLength[state] ?? 0) > 0),
  );
  return isTiny ? pairs.fill(STARTS) : pairs;
}

function startsOf(lanes: readonly Lane[]): Uint8Array {
  const starts = new Uint8Array(256);
  for (const byte of ESCAPE_STARTS) starts[byte] = STARTS_ESCAPE;
  for (const lane of lanes) {
    eachNext(lane, 0, (byte) => (starts[byte] = (starts[byte] ?? 0) | lane.bit));
  }
  return starts;
}

function eachByte(mark: (byte: number) => void): void {
  for (let byte = 0; byte < 256; byte += 1) mark(byte);
}

/** Calls `mark` for each pair of bytes with which a pattern or an escape may start. */
function eachStart(lanes: readonly Lane[], mark: (first: number, second: number) => void): void {
  for (const first of ESCAPE_STARTS) {
    eachByte((second) => {
      if (mayBeginEscape(first, second)) mark(first, second);
    });
  }
  for (const lane of lanes) {
    eachNext(lane, 0, (first, state) => eachNext(lane, state, (second) => mark(first, second)));
  }
}

/** Calls `mark` for each pair of bytes that may follow the first byte of a pattern. */
function eachContinuation(
  lanes: readonly Lane[],
  mark: (first: number, second: number) => void,
): void {
  // Almost any byte may precede an escape, so its first byte is marked as the second of a pair.
  for (const second of ESCAPE_STARTS) eachByte((first) => mark(first, second));
  for (const lane of lanes) {
    for (const start of lane.automaton.childrenOf(0)) {
      eachNext(lane, start, (first, state) => {
        if (state !== 0) eachNext(lane, state, (second) => mark(first, second));
      });
    }
  }
}

/** Calls `mark` for each byte that may follow in a state, with the next state, or 0 if the byte starts an escape. */
function eachNext(
  { automaton, bytesOf }: Lane,
  state: number,
  mark: (byte: number, next: number) => void,
): void {
  if ((automaton.matchLength[state] ?? 0) > 0) eachByte((byte) => mark(byte, 0));
  for (const child of automaton.childrenOf(state)) {
    for (const byte of bytesOf[automaton.symbolOf(child)] ?? []) mark(byte, child);
  }
  if (state === 0) return;
  for (const byte of bytesOf[SKIP] ?? []) mark(byte, state);
  for (const byte of ESCAPE_STARTS) mark(byte, 0);
}
