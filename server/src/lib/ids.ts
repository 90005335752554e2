import { randomBytes, randomInt } from "node:crypto";
import { systemClock } from "./clock.ts";

const counterBits = 12;
const poolSize = 512;
const pool = { bytes: Buffer.alloc(0), used: 0 };
const last = { ms: 0, counter: 0 };
/** A clock that jumps back by more was corrected, and then the time counts more than the order. */
const setBackMs = 1_000;

/**
 * A new id: a UUIDv7 (RFC 9562, section 5.7) of {@link systemClock}'s time, so ids sort by the time they
 * were made, and those of one process always in the order they were made in (section 6.2, method 1).
 */
export function newId(): string {
  const ms = systemClock.now();
  if (ms > last.ms || ms < last.ms - setBackMs) {
    last.ms = ms;
    // Half of the range is left to count in.
    last.counter = randomInt(2 ** (counterBits - 1));
  } else {
    last.counter += 1;
    if (last.counter >= 2 ** counterBits) {
      last.ms += 1;
      last.counter = 0;
    }
  }
  return formatId(last.ms, last.counter, randomTail());
}

/** The smallest id of an instant: whatever was made before it has a smaller one. */
export function idFloor(ms: number): string {
  return formatId(Math.max(0, Math.trunc(ms)), 0, "0".repeat(16));
}

function formatId(ms: number, counter: number, tail: string): string {
  const time = Math.trunc(ms).toString(16).padStart(12, "0");
  const count = counter.toString(16).padStart(3, "0");
  const variant = ((Number.parseInt(tail.slice(0, 1), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
}

/** 16 random hex digits; drawn many at a time, which costs a fraction. */
function randomTail(): string {
  if (pool.used >= pool.bytes.length) {
    pool.bytes = randomBytes(8 * poolSize);
    pool.used = 0;
  }
  pool.used += 8;
  return pool.bytes.toString("hex", pool.used - 8, pool.used);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether the text is a UUID in its canonical lower-case form, as all our ids are. */
export function isId(value: string): boolean {
  return uuid.test(value);
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID v4 (RFC 9562, section 5.4), in either case. */
export function isUuidV4(value: string): boolean {
  return uuidV4.test(value);
}

const suffixAlphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Random characters of `[a-z0-9]`. */
export function randomSuffix(length: number): string {
  return Array.from({ length }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join("");
}

/** Random bytes as base64url text: 256 bits unless told otherwise. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}
