import { hash } from "node:crypto";

/** SHA-256 of a text (as UTF-8) or of bytes, in lowercase hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}
