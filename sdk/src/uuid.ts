import { ToolhostError } from "./errors.ts";

/** A random UUID of version 4. `crypto.randomUUID` does not exist on pages without HTTPS. */
export function newUuid(): string {
  return formatUuid(crypto.getRandomValues(new Uint8Array(16)));
}

/** The same value for the same text, in the form of a UUID of version 4, which an idempotency key must have. */
export async function deriveUuid(text: string): Promise<string> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (subtle === undefined) {
    throw new ToolhostError("Files with an idempotencyKey require a page with HTTPS.");
  }
  const digest = await subtle.digest("SHA-256", new TextEncoder().encode(text));
  return formatUuid(new Uint8Array(digest, 0, 16));
}

function formatUuid(bytes: Uint8Array): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
