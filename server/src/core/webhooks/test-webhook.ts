import type { TestWebhookPayload, WebhookTestResult } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, ServiceError } from "#core/kernel";
import { toTimestamp } from "#lib/clock";
import { newId } from "#lib/ids";
import type { WebhooksContext } from "./context.ts";
import { send } from "./send.ts";
import { findManaged, hostOf } from "./webhooks.ts";

/**
 * Sends a test event now, once, also to a webhook that is disabled, and returns the result. Throws `forbidden`, `not_found`,
 * and `rate_limited` while another test of the webhook is in progress on this node.
 */
export async function testWebhook(
  context: WebhooksContext,
  caller: Caller,
  id: string,
  signal: AbortSignal,
): Promise<WebhookTestResult> {
  const row = await findManaged(context, caller, id);
  const { testing } = context.webhooks;
  if (testing.has(id)) {
    throw new ServiceError(
      "rate_limited",
      "A test of this webhook is in progress. Retry shortly.",
      {
        retryAfterSeconds: 1,
      },
    );
  }
  testing.add(id);
  try {
    const event: TestWebhookPayload = {
      type: "webhook.test",
      timestamp: toTimestamp(context.clock.now()),
      data: { webhookId: id },
    };
    const body = JSON.stringify(event);
    const attempt = await send(context, row, { id: newId(), body }, signal);
    const { status, problem, durationMs } = attempt;
    const result = { delivered: problem === null, status, problem, durationMs };
    const isStored = await commitWrite(context, caller, result, [
      auditInsert(context, caller, {
        action: "webhook.test",
        target: id,
        details: { host: hostOf(row) },
        outcome: problem === null ? "success" : "failed",
      }),
    ]);
    if (!isStored) throw lostKey();
    return result;
  } finally {
    testing.delete(id);
  }
}
