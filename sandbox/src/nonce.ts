import { randomBytes } from "node:crypto";

const NONCE_BYTES = 16;
const POOL_NONCES = 256;
let pool = Buffer.alloc(0);
let used = 0;

/** A secret that marks lines on standard output. Generated in batches because that is much faster. */
export function newNonce(): string {
  if (used >= pool.length) {
    pool = randomBytes(NONCE_BYTES * POOL_NONCES);
    used = 0;
  }
  used += NONCE_BYTES;
  return pool.toString("hex", used - NONCE_BYTES, used);
}
