import { crc32 } from "node:zlib";
import { randomToken } from "#lib/ids";

const form = /^th_[A-Za-z0-9_-]{43}[0-9a-f]{8}$/;

/** How much of a key is kept in clear, so that its owner can tell keys apart. */
export const shownPrefixLength = 9;

/**
 * A new key: a prefix that secret scanners can know, 32 random bytes, and a CRC-32 of both so that a
 * mistyped or cut key is refused without a look-up.
 */
export function makeKey(): string {
  const body = `th_${randomToken()}`;
  return body + checksum(body);
}

/** Whether a text can be a key at all. */
export function isKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -8)) === text.slice(-8);
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, "0");
}
