import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { sha256 } from "./hash.ts";

/** A text under a key of its own, and that key under the one that everything hangs on. */
type Sealed = {
  /** AES-256-GCM of the text: nonce, tag and cipher text as base64. */
  sealedValue: string;
  /** The same of the text's key. */
  wrappedKey: string;
  /** Names the wrapping key, so that one that is not ours is told from a text that was altered. */
  keyId: string;
};

/** Seals texts so that each opens only with our key and for the record it was sealed for. */
export type Envelopes = {
  keyId: string;
  /** `about` is bound to the text: the id of the record that holds it. */
  seal(text: string, about: string): Sealed;
  /** Throws when the text or its record was altered, or the key is another. */
  open(sealed: Sealed, about: string): string;
  /** The same text under another wrapping key; the text itself is not opened. */
  rewrap(sealed: Sealed, about: string, to: Envelopes): Sealed;
  /** Wraps a text's key. */
  wrap(key: Buffer, about: string): string;
};

const nonceBytes = 12;
const tagBytes = 16;

/** Envelope encryption with a key of 32 bytes: AES-256-GCM (NIST SP 800-38D) for the texts and their keys. */
export function createEnvelopes(wrappingKey: Buffer): Envelopes {
  const keyId = sha256(Buffer.concat([Buffer.from("toolhost key id "), wrappingKey])).slice(0, 16);
  const unwrap = (sealed: Sealed, about: string): Buffer => {
    if (sealed.keyId !== keyId) {
      throw new Error("A secret is encrypted with another ENCRYPTION_KEY than this one");
    }
    return decrypt(wrappingKey, sealed.wrappedKey, about);
  };
  const wrap = (key: Buffer, about: string) => encrypt(wrappingKey, key, about);
  return {
    keyId,
    seal: (text, about) => {
      const key = randomBytes(32);
      const sealedValue = encrypt(key, Buffer.from(text), about);
      return { sealedValue, wrappedKey: wrap(key, about), keyId };
    },
    open: (sealed, about) => decrypt(unwrap(sealed, about), sealed.sealedValue, about).toString(),
    rewrap: (sealed, about, to) => ({
      ...sealed,
      wrappedKey: to.wrap(unwrap(sealed, about), about),
      keyId: to.keyId,
    }),
    wrap,
  };
}

function encrypt(key: Buffer, bytes: Buffer, about: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
}

function decrypt(key: Buffer, text: string, about: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), options)
    .setAAD(Buffer.from(about))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
