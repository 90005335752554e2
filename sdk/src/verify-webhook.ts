import type { WebhookPayload } from "./api.ts";
import { ToolhostError } from "./errors.ts";

/** A webhook is not from the service, was changed on its way, or is too old. */
export class WebhookVerificationError extends ToolhostError {
  override name = "WebhookVerificationError";
}

type HeaderValue = string | readonly string[] | null | undefined;

/** A request that was received for a webhook. */
export type WebhookRequest = {
  /** The body as received. Parsing and formatting it again would change the bytes that were signed. */
  payload: string | Uint8Array<ArrayBuffer>;
  headers:
    | { get(name: string): HeaderValue }
    | ReadonlyMap<string, HeaderValue>
    | Readonly<Record<string, HeaderValue>>;
  /** The secret of the webhook, which starts with `whsec_`. Several while it is being replaced. */
  secret: string | readonly string[];
  /** How old or how far in the future a webhook may be, because clocks differ. Default: 300,000. */
  toleranceMs?: number | undefined;
};

const maxSignatures = 20;

/**
 * Verifies a webhook (Standard Webhooks, version 1) and returns its parsed payload. Throws `WebhookVerificationError` if it is
 * not authentic, and `ToolhostError` for an argument that cannot be right. A valid webhook can arrive more than once: skip
 * those whose `webhook-id` you have processed. Later versions of the service may send events of other types: ignore those.
 */
export async function verifyWebhook<Event = WebhookPayload>({
  payload,
  headers,
  secret,
  toleranceMs = 300_000,
}: WebhookRequest): Promise<Event> {
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const signatures = readHeader(headers, "webhook-signature").split(" ").slice(0, maxSignatures);
  checkAge(timestamp, toleranceMs);
  const body = toBytes(payload);
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const keys = await Promise.all([secret].flat().map(importKey));
  for (const key of keys) {
    for (const signature of signatures.map(readSignature)) {
      // Compares in constant time.
      if (signature !== undefined && (await crypto.subtle.verify("HMAC", key, signature, signed))) {
        return parse(body) as Event;
      }
    }
  }
  throw new WebhookVerificationError("No signature of the webhook matches the secret.");
}

function readHeader(headers: WebhookRequest["headers"], name: string): string {
  const value = findHeader(headers, name);
  const text: unknown = typeof value === "string" ? value : value?.[0];
  if (typeof text !== "string" || text === "") {
    throw new WebhookVerificationError(`The request has no header ${name}.`);
  }
  return text;
}

/** Names in a map or record may be in any case. Other objects that have `get`, such as `Headers`, ignore the case. */
function findHeader(headers: WebhookRequest["headers"], name: string): HeaderValue {
  if (typeof headers !== "object" || headers === null) {
    throw new ToolhostError("Set headers to the headers of the request.");
  }
  if (!(headers instanceof Map) && typeof headers.get === "function") {
    return headers.get(name);
  }
  const entries = headers instanceof Map ? [...headers] : Object.entries(headers);
  return entries.find(([key]) => String(key).toLowerCase() === name)?.[1];
}

function toBytes(payload: unknown): Uint8Array {
  if (typeof payload === "string") return new TextEncoder().encode(payload);
  // An array of another realm is no instance of the class.
  if (Object.prototype.toString.call(payload) === "[object Uint8Array]") {
    return payload as Uint8Array;
  }
  throw new ToolhostError(
    "Set payload to the body as received, as text or bytes. Do not parse it.",
  );
}

function checkAge(timestamp: string, toleranceMs: number): void {
  if (typeof toleranceMs !== "number" || !(toleranceMs >= 0)) {
    throw new ToolhostError("Set toleranceMs to a number of milliseconds.");
  }
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
  const bytes =
    typeof secret === "string" ? decodeBase64(secret.replace(/^whsec_/, "")) : undefined;
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

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    throw new WebhookVerificationError("The payload of the webhook is no JSON in UTF-8.", {
      cause: error,
    });
  }
}
