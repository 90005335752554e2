import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts stored texts. The subject `about` is bound to a text, which opens with the same subject only. */
export type Seal = {
  close(text: string, about: string): string;
  /** Throws if the text was altered, or was sealed for another subject or with another key. */
  open(sealed: string, about: string): string;
  /** Equal for equal texts, and reveals nothing about the text without the key: 64 hex digits. */
  digest(text: string): string;
};

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a key per purpose, derived from the root secret (RFC 5869). */
export function createSeal(rootSecret: Buffer, purpose: string): Seal {
  const derive = (info: string) =>
    Buffer.from(hkdfSync("sha256", rootSecret, "", `toolhost ${info}`, 32));
  const key = derive(purpose);
  const secret = derive(`${purpose}, digests`).toString("hex");
  return {
    close: (text, about) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64");
    },
    open: (sealed, about) => {
      const bytes = Buffer.from(sealed, "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([
        decipher.update(bytes.subarray(ivBytes + tagBytes)),
        decipher.final(),
      ]).toString();
    },
    // SHA-256 with a secret prefix of fixed length. Digests are never accepted from clients, so they cannot be forged
    // by extension and the slower HMAC is not needed.
    digest: (text) => hash("sha256", secret + text, "hex"),
  };
}
