import { ToolhostError } from "./errors.ts";

/** A webhook is not from the service, was changed on its way, or is too old. */
export class WebhookVerificationError extends ToolhostError {
  override name = "WebhookVerificationError";
}

/** A request that was received for a webhook. */
export type WebhookRequest = {
  /** The body as received. Parsing and formatting it again would change the bytes that were signed. */
  payload: string | Uint8Array<ArrayBuffer>;
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the webhook, which starts with `whsec_`. Several while it is being replaced. */
  secret: string | readonly string[];
  /** How old or how far in the future a webhook may be, because clocks differ. Default: 300,000. */
  toleranceMs?: number | undefined;
};

const maxSignatures = 20;

/**
 * Verifies a webhook (Standard Webhooks, version 1) and returns its parsed payload. Throws `WebhookVerificationError` if it is
 * not authentic. A valid webhook can arrive more than once: skip those whose `webhook-id` you have processed.
 */
export async function verifyWebhook<Event = unknown>({
  payload,
  headers,
  secret,
  toleranceMs = 300_000,
}: WebhookRequest): Promise<Event> {
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const signatures = readHeader(headers, "webhook-signature").split(" ").slice(0, maxSignatures);
  checkAge(timestamp, toleranceMs);
  const text = typeof payload === "string" ? payload : new TextDecoder().decode(payload);
  const body = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const secrets = typeof secret === "string" ? [secret] : secret;
  const keys = await Promise.all(secrets.map(importKey));
  for (const key of keys) {
    for (const signature of signatures.map(readSignature)) {
      // Compares in constant time.
      if (signature !== undefined && (await crypto.subtle.verify("HMAC", key, signature, signed))) {
        return parse(text) as Event;
      }
    }
  }
  throw new WebhookVerificationError("No signature of the webhook matches the secret.");
}

function readHeader(headers: WebhookRequest["headers"], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === "string" ? value : value?.[0];
  if (text === undefined || text === "") {
    throw new WebhookVerificationError(`The request has no header ${name}.`);
  }
  return text;
}

function checkAge(timestamp: string, toleranceMs: number): void {
  const ageMs = Date.now() - Number(timestamp) * 1_000;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(ageMs) > toleranceMs) {
    throw new WebhookVerificationError(
      "The webhook-timestamp is invalid, or differs from the time now.",
    );
  }
}

/** The bytes of a signature of version 1; undefined for others, which are for other kinds of keys. */
function readSignature(signature: string): Uint8Array<ArrayBuffer> | undefined {
  return signature.startsWith("v1,") ? decodeBase64(signature.slice(3)) : undefined;
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ""));
  if (bytes === undefined || bytes.length === 0) {
    throw new ToolhostError("The secret of the webhook must be whsec_ followed by base64.");
  }
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WebhookVerificationError("The payload of the webhook is no JSON.", { cause: error });
  }
}
