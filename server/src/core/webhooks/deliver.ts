import type { WebhookDeliveryTable, WebhookTable } from "#db";
import type { WebhooksContext } from "./context.ts";
import { claimDeliveries, findReportedRuns, writeOutcome } from "./delivery-store.ts";
import type { ReportedRun } from "./delivery-store.ts";
import { disableUnreachable } from "./disable-unreachable.ts";
import { payloadOf } from "./payload.ts";
import { attemptsOf, maxFailingMs, probePauseMs, retryPauseMs } from "./retry-schedule.ts";
import { retainedMs } from "./outbox.ts";
import { send } from "./send.ts";
import type { Attempt } from "./send.ts";
import { findDueWebhooks, noteFailing, noteHealthy, noteQuiet } from "./webhook-store.ts";

/** Concurrent requests to one webhook. One that fails or is slow gets a single request at a time. */
const batchSize = 8;
const maxDue = 100;
/** How long a delivery belongs to the node that claimed it. Longer than a request takes. */
const leaseMs = 30_000;
const deliveredDays = 7;
const dayMs = 86_400_000;

/** Starts delivering events, together with all other nodes. */
export function startWebhookWorker(context: WebhooksContext): void {
  const { db, clock, log, webhooks } = context;
  webhooks.worker.start({
    findDue: (except) => findDueWebhooks(db, { now: clock.now(), except, limit: maxDue }),
    deliver: (webhook, how) => deliverBatch(context, webhook, how),
    onError: (error) => log.error({ err: error }, "webhooks could not be delivered"),
  });
}

/** Delivers the events that have waited longest. Returns false if none is due. */
async function deliverBatch(
  context: WebhooksContext,
  webhook: WebhookTable,
  { signal, isSlow }: { signal: AbortSignal; isSlow: boolean },
): Promise<boolean> {
  const { db, clock } = context;
  const now = clock.now();
  const limit = webhook.failures > 0 || isSlow ? 1 : batchSize;
  const claim = { webhookId: webhook.id, now, leaseUntil: now + leaseMs, limit };
  const claimed = await claimDeliveries(db, claim);
  if (claimed.length === 0) return false;
  const runIds = claimed.flatMap(({ run_id: runId, payload }) => (payload === null ? runId : []));
  const runs = await findReportedRuns(db, webhook.workspace_id, runIds);
  const attempts = await Promise.all(
    claimed.map((delivery) => {
      const body = bodyOf(context, webhook, delivery, runs);
      return body === undefined
        ? endUnreported(context, delivery)
        : attempt(context, { webhook, delivery, body }, signal);
    }),
  );
  await noteHealth(
    context,
    webhook,
    attempts.filter((one) => one !== undefined),
  );
  if (runs.size < runIds.length) await noteQuiet(db, webhook.id);
  return true;
}

/** The run was deleted or became private while its delivery was pending. */
async function endUnreported(
  { db, clock }: WebhooksContext,
  delivery: WebhookDeliveryTable,
): Promise<undefined> {
  const problem = "The run was deleted, or is no longer visible to all members";
  await writeOutcome(db, delivery, { state: "dead", problem, finished_at: clock.now() });
}

/** Undefined for a run that is not reported. */
function bodyOf(
  { config }: WebhooksContext,
  webhook: WebhookTable,
  delivery: WebhookDeliveryTable,
  runs: ReadonlyMap<string, ReportedRun>,
): string | undefined {
  if (delivery.payload !== null) return delivery.payload;
  const run = runs.get(delivery.run_id);
  if (run === undefined) return undefined;
  const withOutput = webhook.include_output === 1;
  return payloadOf(delivery, run, { baseUrl: config.baseUrl, withOutput });
}

type Work = { webhook: WebhookTable; delivery: WebhookDeliveryTable; body: string };

/** Undefined if the service stops. */
async function attempt(
  context: WebhooksContext,
  { webhook, delivery, body }: Work,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  const { db, clock, meter } = context;
  const result = await send(context, webhook, { id: delivery.event_id, body }, signal);
  const { status, problem, durationMs: ms } = result;
  const now = clock.now();
  if (problem !== null && signal.aborted) {
    const uncounted_attempts = delivery.uncounted_attempts + 1;
    await writeOutcome(db, delivery, { due_at: now, uncounted_attempts });
    return undefined;
  }
  const pauseMs =
    status === 410 ? undefined : retryPauseMs(attemptsOf(delivery), result.retryAfterMs);
  if (problem === null) {
    const expires_at = now + deliveredDays * dayMs;
    const change = { state: "delivered", finished_at: now, expires_at };
    await writeOutcome(db, delivery, { ...change, status, problem });
    meter.webhookAttempted({ outcome: "delivered", ms });
  } else if (pauseMs === undefined) {
    const change = { state: "dead", finished_at: now, expires_at: now + retainedMs };
    await writeOutcome(db, delivery, { ...change, status, problem });
    meter.webhookAttempted({ outcome: "dead", ms });
  } else {
    await writeOutcome(db, delivery, { due_at: Math.round(now + pauseMs), status, problem });
    meter.webhookAttempted({ outcome: "retry", ms });
  }
  return result;
}

/** Slows down or disables a webhook that fails, and resumes the normal pace when it succeeds. */
async function noteHealth(
  context: WebhooksContext,
  webhook: WebhookTable,
  attempts: readonly Attempt[],
): Promise<void> {
  if (attempts.length === 0) return;
  const { db, clock } = context;
  const now = clock.now();
  if (attempts.some(({ status }) => status === 410)) {
    await disableUnreachable(context, webhook, "gone");
    return;
  }
  if (attempts.some(({ problem }) => problem === null)) {
    if (webhook.failing_since !== null) await noteHealthy(db, webhook.id);
    return;
  }
  if (webhook.failing_since !== null && webhook.failing_since <= now - maxFailingMs) {
    await disableUnreachable(context, webhook, "failing");
    return;
  }
  const retryAfterMs = Math.max(...attempts.map((one) => one.retryAfterMs));
  const pauseMs = Math.max(probePauseMs(webhook.failures + 1), retryAfterMs);
  await noteFailing(db, webhook.id, { now, pausedUntil: now + pauseMs });
}
