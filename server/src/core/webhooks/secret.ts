import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { NodeContext } from "#core/kernel";
import type { WebhookTable } from "#db";

/** The secrets that sign the payloads of a webhook. Each one that was replaced signs too, for a day; the latest is first. */
export type Secrets = { current: string; previous: readonly Replaced[] };

type Replaced = { secret: string; until: number };

const previousValidMs = 86_400_000;
/** Each one makes the header of every request longer. */
const maxPrevious = 5;
const secretBytes = 32;

type Sealing = Pick<NodeContext, "envelopes">;
type SealedSecrets = Pick<WebhookTable, "sealed_value" | "wrapped_key" | "key_id">;

/** Creates a secret in the format of Standard Webhooks. */
export function createSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}

/** Replaces the current secret, and returns until when it is valid. Those replaced earlier stay valid for their day. */
export function rotate(
  { current, previous }: Secrets,
  now: number,
): { secrets: Secrets; until: number } {
  const until = now + previousValidMs;
  const all = [{ secret: current, until }, ...stillValid(previous, now)];
  return { secrets: { current: createSecret(), previous: all.slice(0, maxPrevious) }, until };
}

function stillValid(previous: readonly Replaced[], now: number): readonly Replaced[] {
  return previous.filter(({ until }) => until > now);
}

export function sealSecrets(
  { envelopes }: Sealing,
  webhookId: string,
  secrets: Secrets,
): SealedSecrets {
  const { sealedValue, wrappedKey, keyId } = envelopes.seal(JSON.stringify(secrets), webhookId);
  return { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId };
}

/** Throws if the encryption key is unknown. */
export function openSecrets(
  { envelopes }: Sealing,
  { id, sealed_value, wrapped_key, key_id }: SealedSecrets & { id: string },
): Secrets {
  const sealed = { sealedValue: sealed_value, wrappedKey: wrapped_key, keyId: key_id };
  return JSON.parse(envelopes.open(sealed, id)) as Secrets;
}

/** A message as it is sent. `id` is the same in all attempts. */
export type Message = { id: string; body: string };

/** The headers that identify and sign a message (standardwebhooks.com). */
export function signatureHeaders(
  { current, previous }: Secrets,
  { id, body }: Message,
  now: number,
): Record<string, string> {
  const valid = stillValid(previous, now).map(({ secret }) => secret);
  const at = new Date(now);
  const signatures = [current, ...valid].map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
}
