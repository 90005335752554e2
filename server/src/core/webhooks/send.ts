import { OutboundError } from "@toolhost/sandbox";
import type { WebhookTable } from "#db";
import type { WebhooksContext } from "./context.ts";
import { readRetryAfter } from "./retry-schedule.ts";
import { openSecrets, signatureHeaders } from "./secret.ts";
import type { Message } from "./secret.ts";

/** The result of one request. */
export type Attempt = {
  /** The status of the response; null if there was none. */
  status: number | null;
  /** Why it failed, in words that contain nothing of the response; null if it succeeded. */
  problem: string | null;
  retryAfterMs: number;
  durationMs: number;
};

const timeoutMs = 15_000;
/** Enough to read the usual acknowledgment, so that the connection can be used again. */
const maxResponseBytes = 4_096;

/** Signs a message and sends it to a webhook, under the same egress rules as tools. */
export async function send(
  context: WebhooksContext,
  webhook: Pick<WebhookTable, "id" | "url" | "sealed_value" | "wrapped_key" | "key_id">,
  message: Message,
  signal: AbortSignal,
): Promise<Attempt> {
  const { outbound, clock } = context;
  const startedAt = performance.now();
  const ended = (status: number | null, problem: string | null, retryAfterMs = 0): Attempt => {
    const durationMs = Math.round(performance.now() - startedAt);
    return { status, problem, retryAfterMs, durationMs };
  };
  try {
    const now = clock.now();
    const signed = signatureHeaders(openSecrets(context, webhook), message, now);
    const response = await outbound.deliver(webhook.url, {
      connectionGroup: `webhook ${webhook.id}`,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Toolhost-Webhooks/1",
        ...signed,
      },
      body: message.body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      maxBytes: maxResponseBytes,
    });
    return ended(response.status, explain(response.status), readRetryAfter(response, now));
  } catch (error) {
    if (error instanceof OutboundError) return ended(null, error.message.slice(0, 300));
    context.log.error({ err: error, webhook: webhook.id }, "a webhook could not be signed or sent");
    return ended(null, "The server could not sign or send the event");
  }
}

function explain(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const isRedirect = status >= 300 && status < 400;
  return `The endpoint responded with status ${status}${isRedirect ? ". Redirects are not followed" : ""}`;
}
