import { randomBytes, randomInt, randomUUIDv7 } from "node:crypto";

/** A new id: a UUIDv7 (RFC 9562, section 5.7), so ids sort by the time they were made. */
export function newId(): string {
  return randomUUIDv7();
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
