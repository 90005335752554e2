import { BREAK, SKIP } from "./automaton.ts";
import {
  CODE_POINT,
  EscapeReader,
  isEscapeStart,
  MAX_CHARACTER_BYTES,
  MAX_LEVELS,
} from "./escapes.ts";
import { mergeMatches, type SecretMatch } from "./secret-match.ts";
import { SymbolHistory } from "./symbol-history.ts";
import { nextPair, wordsOf } from "./pair-search.ts";
import { ALL_LANES, patternsOf } from "./secret-patterns.ts";
import type { Lane, SecretPatterns } from "./secret-patterns.ts";
import type { NamedValue } from "./secret.ts";

/** The search would take far too long, because the text and the values were crafted for that. */
export class SearchLimitError extends Error {
  override name = "SearchLimitError";
}

/** Reads a text in parts and reports where it contains a value, in any of its encodings. */
export type SecretScanner = {
  /** Returns the matches that are certain so far, in order and without overlaps. Throws `SearchLimitError`. */
  write: (bytes: Uint8Array) => SecretMatch[];
  /** Ends the text, optionally with a last part, and returns the remaining matches. Throws `SearchLimitError`. */
  end: (bytes?: Uint8Array) => SecretMatch[];
  /** Nothing before this offset is part of a match that is not yet reported. */
  readonly resolvedTo: number;
};

/**
 * Finds values in plain text and encoded in JSON, URLs, forms, base64 and hexadecimal; docs/SECURITY.md has the full
 * list. Time grows with the length of the text, memory with the length of the values.
 */
export function createSecretScanner(secrets: readonly NamedValue[]): SecretScanner {
  return new Scanner(patternsOf(secrets));
}

/** Maximum bytes of separators in one gap in base64 or hexadecimal. */
const MAX_GAP_BYTES = 1_024;
/** Maximum bytes held back for a possible match. No encoding of the longest credential is longer. */
const MAX_HELD_BYTES = 1024 * 1024;
/** Maximum states at one position per lane. Different readings of escapes lead to more than one. */
const MAX_THREADS = 8;
/** From this size on, searching by byte pairs is faster, even though its table must be computed. */
const MIN_PAIRED_BYTES = 4_096;
/** Recorded symbols before those that no thread needs are dropped. */
const HISTORY_LENGTH = 64 * 1024;
/**
 * Steps of threads per byte of the text, in addition to `MAX_STEPS`. A text that consists only of prefixes of a value
 * takes about one. Only values that themselves consist of escapes take more.
 */
const MAX_STEPS_PER_BYTE = 2;
const MAX_STEPS = 100_000;

/** A state of a lane's automaton at a position of the text. */
type Thread = {
  lane: Lane;
  state: number;
  /** The index of the recorded symbol that was read last. */
  last: number;
};

const SLOTS = 2 ** Math.ceil(Math.log2(MAX_CHARACTER_BYTES + 1));

const NOTHING = new Uint8Array();
/** Shared by all scans: each opens it first and runs without interruption. */
const reader = new EscapeReader();

/**
 * Several characters may start at each position: the byte itself, and the character that it denotes as (part of) an
 * escape, an escaped escape and so on. Each leads to the position after it, where the states continue.
 */
class Scanner implements SecretScanner {
  readonly #lanes: readonly Lane[];
  readonly #patterns: SecretPatterns;
  readonly #starts: Uint8Array;
  /** Bytes from `#base` on: bytes that may still be part of a match, and the latest part. */
  #bytes: Uint8Array = NOTHING;
  #words: Uint16Array | undefined;
  #base = 0;
  #at = 0;
  /** Threads by the position they are at, modulo the number of slots. */
  readonly #slots: (Thread[] | undefined)[] = [];
  #threads = 0;
  #history = new SymbolHistory();
  #maxHistory = HISTORY_LENGTH;
  #found: SecretMatch[] = [];
  #steps = 0;
  resolvedTo = 0;
  readonly #codes: number[] = [];
  readonly #ends: number[] = [];

  constructor(patterns: SecretPatterns) {
    const { lanes, starts } = patterns;
    this.#patterns = patterns;
    this.#starts = starts;
    this.#lanes = lanes;
  }

  write(bytes: Uint8Array): SecretMatch[] {
    return this.#scan(bytes, false);
  }

  end(bytes: Uint8Array = NOTHING): SecretMatch[] {
    return this.#scan(bytes, true);
  }

  #scan(bytes: Uint8Array, isLast: boolean): SecretMatch[] {
    const resolved = this.resolvedTo - this.#base;
    const hasRest = resolved < this.#bytes.length;
    this.#bytes = hasRest ? Buffer.concat([this.#bytes.subarray(resolved), bytes]) : bytes;
    this.#words = undefined;
    this.#base = this.resolvedTo;
    reader.open(this.#bytes, isLast);
    const end = this.#base + this.#bytes.length;
    while (this.#at < end) {
      if (this.#threads === 0) {
        this.#skip();
        if (this.#at >= end) break;
      }
      if (!this.#step()) break;
    }
    return this.#resolve(isLast ? end : this.#at, isLast);
  }

  /** Moves to the next position at which a match may start. */
  #skip(): void {
    this.#at = this.#base + this.#nextStart(this.#at - this.#base);
    this.#history.clear();
  }

  #nextStart(from: number): number {
    const { length } = this.#bytes;
    if (length < MIN_PAIRED_BYTES) {
      let next = from;
      while (next < length && this.#starts[this.#bytes[next] ?? 0] === 0) next += 1;
      return next;
    }
    this.#words ??= wordsOf(this.#bytes);
    return nextPair(this.#bytes, this.#words, this.#patterns.pairs(), from);
  }

  /** Reads the characters that start here. Returns false if that requires more bytes. */
  #step(): boolean {
    const count = this.#readCharacters(this.#at - this.#base);
    if (count === 0) return false;
    const slot = this.#slotOf(this.#at);
    // The failure links of a lane's thread cover matches that start here.
    let idleLanes = ALL_LANES;
    for (const { lane } of slot) idleLanes &= ~lane.bit;
    this.#steps += slot.length * count;
    if (this.#steps > MAX_STEPS + MAX_STEPS_PER_BYTE * this.#at) throw new SearchLimitError();
    for (let index = 0; index < count; index += 1) {
      const code = this.#codes[index] ?? 0;
      const end = this.#base + (this.#ends[index] ?? 0);
      for (const { lane, state, last } of slot) this.#advance(lane, state, last, code, end);
      const starting = idleLanes & (code < CODE_POINT ? (this.#starts[code] ?? 0) : ALL_LANES);
      if (starting === 0) continue;
      for (const lane of this.#lanes) {
        if ((starting & lane.bit) !== 0) this.#advance(lane, 0, -1, code, end);
      }
    }
    this.#threads -= slot.length;
    slot.length = 0;
    this.#at += 1;
    if (this.#history.length > this.#maxHistory) this.#compactHistory();
    return true;
  }

  /** Reads the possible characters and returns their number. 0 if more bytes may change them. */
  #readCharacters(at: number): number {
    const byte = this.#bytes[at] ?? 0;
    this.#codes[0] = byte;
    this.#ends[0] = at + 1;
    if (!isEscapeStart(byte)) return 1;
    reader.needsMore = false;
    let count = 1;
    for (let level = 1; level <= MAX_LEVELS; level += 1) {
      reader.read(level, at);
      if (reader.needsMore) return 0;
      if (reader.end === this.#ends[count - 1]) continue;
      this.#codes[count] = reader.code;
      this.#ends[count] = reader.end;
      count += 1;
    }
    return count;
  }

  #advance(lane: Lane, state: number, last: number, code: number, end: number): void {
    if (code >= CODE_POINT) {
      this.#advanceCodePoint(lane, state, last, code - CODE_POINT, end);
      return;
    }
    const symbol = lane.symbols[code] ?? BREAK;
    if (symbol === SKIP) {
      const isNear = state !== 0 && end - this.#history.positionOf(last) <= MAX_GAP_BYTES;
      if (isNear) this.#join(lane, state, last, end);
      return;
    }
    const next = lane.automaton.step(state, symbol);
    if (next !== 0) this.#join(lane, next, this.#note(lane, next, last, end), end);
  }

  #advanceCodePoint(lane: Lane, state: number, last: number, codePoint: number, end: number): void {
    let [next, recorded] = [state, last];
    for (const byte of Buffer.from(String.fromCodePoint(codePoint))) {
      next = lane.automaton.step(next, lane.symbols[byte] ?? BREAK);
      if (next === 0) return;
      recorded = this.#note(lane, next, recorded, end);
    }
    this.#join(lane, next, recorded, end);
  }

  /** Records a symbol, and reports the match that it completes. */
  #note({ automaton }: Lane, state: number, previous: number, end: number): number {
    const index = this.#history.add(this.#at, previous);
    const length = automaton.matchLength[state] ?? 0;
    if (length === 0) return index;
    const from = this.#history.match(index, length);
    this.#found.push({ from, to: end, name: automaton.matchName(state) });
    return index;
  }

  #join(lane: Lane, reached: number, last: number, end: number): void {
    const state = lane.automaton.continuing(reached);
    if (state === 0) return;
    const slot = this.#slotOf(end);
    let count = 0;
    let shallowest: Thread | undefined;
    for (const other of slot) {
      if (other.lane !== lane) continue;
      if (other.state === state) return;
      count += 1;
      if (shallowest === undefined || depthOf(other) < depthOf(shallowest)) shallowest = other;
    }
    if (count < MAX_THREADS) {
      slot.push({ lane, state, last });
      this.#threads += 1;
    } else if (
      shallowest !== undefined &&
      depthOf(shallowest) < (lane.automaton.depth[state] ?? 0)
    ) {
      shallowest.state = state;
      shallowest.last = last;
    }
  }

  #slotOf(position: number): Thread[] {
    return (this.#slots[position & (SLOTS - 1)] ??= []);
  }

  /** Drops recorded symbols that no thread needs, so that their number depends only on the threads. */
  #compactHistory(): void {
    const shorter = new SymbolHistory();
    for (const thread of this.#slots.flat()) {
      if (thread === undefined) continue;
      thread.last = shorter.copy(this.#history, thread.last, depthOf(thread));
    }
    this.#history = shorter;
    this.#maxHistory = Math.max(HISTORY_LENGTH, 2 * shorter.length);
  }

  #resolve(to: number, isLast: boolean): SecretMatch[] {
    this.resolvedTo = isLast || this.#threads === 0 ? to : this.#dropFar(to);
    const merged = mergeMatches(this.#found);
    const last = merged.at(-1);
    if (last !== undefined && last.to > this.resolvedTo) {
      this.resolvedTo = Math.min(this.resolvedTo, last.from);
    }
    this.#found = merged.filter((match) => match.to > this.resolvedTo);
    return merged.filter((match) => match.to <= this.resolvedTo);
  }

  /** Drops threads that would hold back too many bytes. Returns the first offset that the others need. */
  #dropFar(to: number): number {
    let first = to;
    let left = this.#threads;
    // No thread is further ahead than the longest character.
    for (let at = this.#at; left > 0; at += 1) {
      const slot = this.#slotOf(at);
      left -= slot.length;
      for (const thread of slot.splice(0)) {
        const from = this.#history.positionOf(this.#history.back(thread.last, depthOf(thread) - 1));
        if (to - from > MAX_HELD_BYTES) {
          this.#threads -= 1;
          continue;
        }
        slot.push(thread);
        first = Math.min(first, from);
      }
    }
    return first;
  }
}

function depthOf({ lane, state }: Thread): number {
  return lane.automaton.depth[state] ?? 0;
}
