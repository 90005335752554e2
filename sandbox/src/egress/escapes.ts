import { ENTITIES, type EntityNode } from "./html-entities.ts";

const HASH = 0x23;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const LETTER_X = 0x78;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const NO_CHARACTER = -1;

/** How many levels of escapes are decoded, such as JSON in JSON in JSON. */
export const MAX_LEVELS = 3;
/** Digits between `\u{` and `}`, or between `&#` and `;`. */
const MAX_DIGITS = 8;
/** The longest escape is `&#x` with that many digits, and each of its characters may be escaped again. */
export const MAX_CHARACTER_BYTES = (MAX_DIGITS + 4) ** MAX_LEVELS;
/** The next power of two above `MAX_CHARACTER_BYTES`. */
const READINGS = 2_048;
/** Added to code points that are not a single byte in UTF-8. */
export const CODE_POINT = 0x100_0000;

/** Control characters that a backslash and a letter denote in JSON and most languages. */
const CONTROLS = new Uint8Array(128);
for (const [letter, code] of Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 })) {
  CONTROLS[letter.charCodeAt(0)] = code;
}

export const ESCAPE_STARTS: readonly number[] = [PERCENT, AMPERSAND, BACKSLASH];

export function isEscapeStart(byte: number): boolean {
  return byte === PERCENT || byte === AMPERSAND || byte === BACKSLASH;
}

/** Whether the first of two bytes may start an escape. `&` is common in text, so the second byte is checked too. */
export function mayBeginEscape(first: number, second: number): boolean {
  if (first !== AMPERSAND) return isEscapeStart(first);
  return second === HASH || ENTITIES.next.has(second) || isEscapeStart(second);
}

/**
 * Reads one character of a text that may be escaped: `%XX` (a byte), `\xXX` (a byte), `\uXXXX`, `\u{X…}`, `%uXXXX`,
 * `\n` and similar, a backslash before punctuation, `&#DDD;`, `&#xXXX;`, `&name;`. Level 0 decodes nothing. At each
 * further level, an escape consists of characters of the level below.
 */
export class EscapeReader {
  #bytes: Uint8Array = new Uint8Array();
  #isLast = false;
  readonly #known = Array.from({ length: MAX_LEVELS }, () => new Readings());
  /** The character read: a byte, or a code point plus `CODE_POINT`. */
  code = NO_CHARACTER;
  /** The offset in `bytes` after it. */
  end = 0;
  /** Whether more bytes could change the result. */
  needsMore = false;

  open(bytes: Uint8Array, isLast: boolean): void {
    this.#bytes = bytes;
    this.#isLast = isLast;
    for (const known of this.#known) known.clear();
  }

  read(level: number, at: number): void {
    const byte = this.#bytes[at];
    if (level === 0 || byte === undefined || !isEscapeStart(byte)) {
      this.#readByte(at);
      return;
    }
    const known = this.#known[level - 1];
    if (known?.has(at) === true) {
      this.#set(known.code, known.end);
      return;
    }
    this.#readEscape(level - 1, at);
    if (!this.needsMore) known?.note(at, this.code, this.end);
  }

  #readByte(at: number): void {
    const byte = this.#bytes[at];
    if (byte !== undefined) {
      this.#set(byte, at + 1);
      return;
    }
    this.needsMore ||= !this.#isLast;
    this.#set(NO_CHARACTER, at);
  }

  #readEscape(below: number, at: number): void {
    this.read(below, at);
    const { code, end } = this;
    if (code === PERCENT) {
      if (this.#readHex(below, end, 2)) return;
      this.read(below, end);
      if (this.code === LETTER_U && this.#readUnit(below, this.end)) return;
    } else if (code === BACKSLASH) {
      this.read(below, end);
      if (this.#readAfterBackslash(below)) return;
    } else if (code === AMPERSAND) {
      if (this.#readEntity(below, end)) return;
    } else {
      return;
    }
    this.#set(code, end);
  }

  #readAfterBackslash(below: number): boolean {
    const { code, end } = this;
    if (code === LETTER_X) return this.#readHex(below, end, 2);
    if (code === LETTER_U) {
      return this.#readUnit(below, end) || this.#readBraced(below, end);
    }
    const control = CONTROLS[code] ?? 0;
    if (control > 0) {
      this.#set(control, end);
      return true;
    }
    // An escaped punctuation character denotes itself.
    return isPunctuation(code);
  }

  #readUnit(below: number, at: number): boolean {
    if (!this.#readHex(below, at, 4)) return false;
    const unit = this.code;
    this.#set(codeOf(unit), this.end);
    if (isWithin(unit, 0xd800, 0xdbff)) this.#joinSurrogates(below + 1, unit, this.end);
    return true;
  }

  #joinSurrogates(level: number, high: number, end: number): void {
    this.read(level, end);
    const low = this.code - CODE_POINT;
    const isPair = isWithin(low, 0xdc00, 0xdfff);
    const codePoint = 0x1_0000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
    this.#set(CODE_POINT + (isPair ? codePoint : high), isPair ? this.end : end);
  }

  #readBraced(below: number, at: number): boolean {
    this.read(below, at);
    return this.code === OPEN_BRACE && this.#readCodePoint(below, 16, CLOSE_BRACE);
  }

  #readEntity(below: number, at: number): boolean {
    this.read(below, at);
    if (this.code === HASH) return this.#readNumericEntity(below, this.end);
    let node: EntityNode | undefined = ENTITIES.next.get(this.code);
    while (node !== undefined) {
      if (node.codePoint !== undefined) {
        this.#set(codeOf(node.codePoint), this.end);
        return true;
      }
      this.read(below, this.end);
      node = node.next.get(this.code);
    }
    return false;
  }

  #readNumericEntity(below: number, at: number): boolean {
    this.read(below, at);
    if ((this.code | 0x20) === LETTER_X) return this.#readCodePoint(below, 16, SEMICOLON);
    this.end = at;
    return this.#readCodePoint(below, 10, SEMICOLON);
  }

  /** Reads digits from `end`, and the character that closes them. */
  #readCodePoint(below: number, base: number, close: number): boolean {
    let value = 0;
    for (let digits = 0; digits <= MAX_DIGITS; digits += 1) {
      this.read(below, this.end);
      if (this.code === close && digits > 0) {
        this.#set(codeOf(Math.min(value, 0x10_ffff)), this.end);
        return true;
      }
      const digit = hexDigit(this.code);
      if (digit < 0 || digit >= base) return false;
      value = value * base + digit;
    }
    return false;
  }

  #readHex(below: number, at: number, digits: number): boolean {
    let value = 0;
    let end = at;
    for (let read = 0; read < digits; read += 1) {
      this.read(below, end);
      const digit = hexDigit(this.code);
      if (digit < 0) return false;
      value = value * 16 + digit;
      ({ end } = this);
    }
    this.#set(value, end);
    return true;
  }

  #set(code: number, end: number): void {
    this.code = code;
    this.end = end;
  }
}

/** Caches the last characters read at a level by their offset, because the levels above read them repeatedly. */
class Readings {
  #isUsed = false;
  readonly #starts = new Int32Array(READINGS).fill(-1);
  readonly #codes = new Int32Array(READINGS);
  readonly #ends = new Int32Array(READINGS);
  code = 0;
  end = 0;

  clear(): void {
    if (this.#isUsed) this.#starts.fill(-1);
    this.#isUsed = false;
  }

  has(at: number): boolean {
    const index = at & (READINGS - 1);
    if (this.#starts[index] !== at) return false;
    this.code = this.#codes[index] ?? 0;
    this.end = this.#ends[index] ?? 0;
    return true;
  }

  note(at: number, code: number, end: number): void {
    const index = at & (READINGS - 1);
    this.#isUsed = true;
    this.#starts[index] = at;
    this.#codes[index] = code;
    this.#ends[index] = end;
  }
}

function codeOf(codePoint: number): number {
  return codePoint < 0x80 ? codePoint : CODE_POINT + codePoint;
}

function isWithin(value: number, from: number, to: number): boolean {
  return value >= from && value <= to;
}

function isPunctuation(code: number): boolean {
  if (!isWithin(code, 0x21, 0x7e) || isWithin(code, 0x30, 0x39)) return false;
  return !isWithin(code | 0x20, 0x61, 0x7a);
}

function hexDigit(code: number): number {
  if (isWithin(code, 0x30, 0x39)) return code - 0x30;
  const letter = code | 0x20;
  return isWithin(letter, 0x61, 0x66) && code < 0x80 ? letter - 0x61 + 10 : -1;
}
