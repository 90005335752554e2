import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { sha256 } from "./hash.ts";

/** A text encrypted under its data key, and the data key encrypted under one of the server's wrapping keys. */
export type Sealed = {
  /** AES-256-GCM of the text: nonce, tag and cipher text as base64. */
  sealedValue: string;
  /** The data key, encrypted in the same way with the wrapping key. */
  wrappedKey: string;
  /** Identifies the wrapping key, to distinguish an unknown key from an altered text. */
  keyId: string;
};

/** Seals texts so that each opens only with the server's keys and for the record that it was sealed for. */
export type Envelopes = {
  /** The ID of the key that seals. */
  readonly keyId: string;
  /** The IDs of all keys that open. */
  readonly keyIds: readonly string[];
  /** Seals with another of the keys from now on; false if no key has this ID. */
  sealWith(keyId: string): boolean;
  /** `about`, the ID of the record that contains the text, is bound to it. */
  seal(text: string, about: string): Sealed;
  /** Throws if the key is unknown, or the text or its record was altered. */
  open(sealed: Sealed, about: string): string;
  /** Wraps the data key with the current key, without opening the text. Throws as `open`. */
  rewrap(sealed: Sealed, about: string): Sealed;
};

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Envelope encryption with keys of 32 bytes: AES-256-GCM (NIST SP 800-38D) for the texts and their keys. The
 * first key seals until `sealWith` selects another; all of them open.
 */
export function createEnvelopes(first: Buffer, ...others: readonly Buffer[]): Envelopes {
  const keys = new Map([first, ...others].map((key) => [nameOf(key), key] as const));
  let current = { id: nameOf(first), key: first };
  const unwrap = (sealed: Sealed, about: string): Buffer => {
    const key = keys.get(sealed.keyId);
    if (key !== undefined) return decrypt(key, sealed.wrappedKey, about);
    throw new Error("A secret is encrypted with an unknown ENCRYPTION_KEY");
  };
  return {
    get keyId() {
      return current.id;
    },
    keyIds: [...keys.keys()],
    sealWith: (id) => {
      const key = keys.get(id);
      if (key !== undefined) current = { id, key };
      return key !== undefined;
    },
    seal: (text, about) => {
      const key = randomBytes(32);
      const sealedValue = encrypt(key, Buffer.from(text), about);
      return { sealedValue, wrappedKey: encrypt(current.key, key, about), keyId: current.id };
    },
    open: (sealed, about) => decrypt(unwrap(sealed, about), sealed.sealedValue, about).toString(),
    rewrap: (sealed, about) => ({
      ...sealed,
      wrappedKey: encrypt(current.key, unwrap(sealed, about), about),
      keyId: current.id,
    }),
  };
}

/** Identifies a key without revealing it, because keys are random. */
function nameOf(key: Buffer): string {
  return sha256(Buffer.concat([Buffer.from("toolhost key id "), key])).slice(0, 16);
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
