import { createPublicKey, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** An older request may be a replay of one that someone recorded. */
const windowSeconds = 300;

/** Discord's public key, as its page for developers shows it: 64 hexadecimal digits. */
export function readPublicKey(hex: string): KeyObject {
  const x = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** Whether Discord signed exactly these bytes a moment ago. `now` is in milliseconds. */
export function isSignedByDiscord(
  headers: Headers,
  body: Uint8Array,
  { publicKey, now }: { publicKey: KeyObject; now: number },
): boolean {
  const timestamp = headers.get("x-signature-timestamp") ?? "";
  const signature = headers.get("x-signature-ed25519") ?? "";
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  if (Math.abs(now / 1_000 - Number(timestamp)) > windowSeconds) return false;
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  return verify(null, signed, publicKey, Buffer.from(signature, "hex"));
}
