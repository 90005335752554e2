import { crc32 } from "node:zlib";
import { randomToken } from "#lib/ids";

const form = /^th_[A-Za-z0-9_-]{43}[0-9a-f]{8}$/;

/** The length of the prefix that is stored in plain text, so that users can recognize their keys. */
export const shownPrefixLength = 9;

/**
 * Creates a key: a prefix that secret scanners recognize, 32 random bytes, and a CRC-32 of both, so that a mistyped or
 * truncated key is rejected without a query.
 */
export function makeKey(): string {
  const body = `th_${randomToken()}`;
  return body + checksum(body);
}

/** Whether a text has the form of a key. */
export function isKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -8)) === text.slice(-8);
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, "0");
}
