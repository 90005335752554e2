import { randomBytes, randomInt } from "node:crypto";
import { systemClock } from "./clock.ts";

const counterBits = 12;
const counterMask = 2 ** (counterBits - 1) - 1;
const poolSize = 512;
const pool = { bytes: Buffer.alloc(0), used: 0 };
const last = { ms: 0, counter: 0 };
/** If the clock jumps back by more, it was corrected, and correct times matter more than the order. */
const setBackMs = 1_000;

/**
 * Creates an ID: a UUIDv7 (RFC 9562, section 5.7) with the time of {@link systemClock}. IDs sort by their time, and
 * those of one process always in the order of their creation (section 6.2, method 1).
 */
export function newId(): string {
  const ms = systemClock.now();
  if (ms > last.ms || ms < last.ms - setBackMs) {
    last.ms = ms;
    // Leaves half of the range for counting.
    last.counter = randomPart(2).readUInt16BE() & counterMask;
  } else {
    last.counter += 1;
    if (last.counter >= 2 ** counterBits) {
      last.ms += 1;
      last.counter = 0;
    }
  }
  return formatId(last.ms, last.counter, randomPart(8).toString("hex"));
}

/** The smallest possible ID of a time. IDs that were created earlier are smaller. */
export function idFloor(ms: number): string {
  return formatId(Math.max(0, Math.trunc(ms)), 0, "0".repeat(16));
}

/** The time at which an ID was created, in Unix milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16);
}

/** The first 15 characters of an ID of this millisecond, which often has several. */
const prefix = { ms: -1, text: "" };
/** The first digit of a tail, with the two bits of the variant. */
const variants = "89ab89ab89ab89ab";

function formatId(ms: number, counter: number, tail: string): string {
  if (ms !== prefix.ms) {
    const time = Math.trunc(ms).toString(16).padStart(12, "0");
    prefix.ms = ms;
    prefix.text = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  }
  const count = (counter + 2 ** counterBits).toString(16).slice(1);
  const variant = variants[Number.parseInt(tail.slice(0, 1), 16)];
  return `${prefix.text}${count}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
}

/** Random bytes, generated in batches because that is much faster. */
function randomPart(length: number): Buffer {
  if (pool.used + length > pool.bytes.length) {
    pool.bytes = randomBytes(8 * poolSize);
    pool.used = 0;
  }
  pool.used += length;
  return pool.bytes.subarray(pool.used - length, pool.used);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text is a UUID in its canonical lowercase form, like all IDs of the service. */
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

/** Random bytes as base64url text, for values that tell things apart and are no secrets. */
export function randomMark(bytes: number): string {
  return randomPart(bytes).toString("base64url");
}

/** Random bytes as base64url text, 256 bits by default. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}
