import { createECDH, hkdfSync } from "node:crypto";
import type { JWK } from "oidc-provider";

/** Derives a key of the authorization server for one purpose, the same on every node (RFC 5869). */
export function deriveKey(rootSecret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", rootSecret, "", `toolhost oauth ${purpose}`, 32));
}

/**
 * Derives the P-256 key that signs ID tokens, the same on every node. ID tokens are valid for minutes and grant
 * nothing, so this key may change with the encryption key.
 */
export function deriveSigningKey(rootSecret: Buffer): JWK {
  const curve = createECDH("prime256v1");
  // Almost every number of 32 bytes is a valid key of this curve. The first valid one is used.
  for (let attempt = 0; ; attempt++) {
    const secret = deriveKey(rootSecret, `signing ${attempt}`);
    try {
      curve.setPrivateKey(secret);
    } catch {
      continue;
    }
    const point = curve.getPublicKey();
    const part = (from: number) => point.subarray(from, from + 32).toString("base64url");
    return {
      kty: "EC",
      crv: "P-256",
      alg: "ES256",
      use: "sig",
      kid: deriveKey(rootSecret, `signing id ${attempt}`).toString("base64url").slice(0, 16),
      x: part(1),
      y: part(33),
      d: secret.toString("base64url"),
    };
  }
}
