import type { WebhookDelivery } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, lostKey, notFound } from "#core/kernel";
import { isId } from "#lib/ids";
import { cutPage } from "#lib/page";
import type { WebhooksContext } from "./context.ts";
import { findDeliveries, findSharedRunIds, requeue } from "./delivery-store.ts";
import { retainedMs } from "./outbox.ts";
import { presentDelivery } from "./present.ts";
import { readTotals } from "./webhook-store.ts";
import { findManaged, hostOf } from "./webhooks.ts";

type Page = { limit: number; after: string | undefined; state: string | undefined };

/** A page of the deliveries of a webhook, newest first. Those of runs that not all members see name no run. Throws `forbidden`, `not_found`. */
export async function listDeliveries(
  context: WebhooksContext,
  caller: Caller,
  id: string,
  page: Page,
): Promise<{ deliveries: WebhookDelivery[]; next: string | undefined }> {
  await findManaged(context, caller, id);
  const rows = await findDeliveries(context.db, id, { ...page, limit: page.limit + 1 });
  const { shown, next } = cutPage(rows, page.limit, (row) => row.event_id);
  const runIds = shown.map((row) => row.run_id);
  const shared = await findSharedRunIds(context.db, caller.workspaceId, runIds);
  return {
    deliveries: shown.map((row) => presentDelivery(row, shared.has(row.run_id))),
    next,
  };
}

/** Delivers an event again, with the same ID and all its attempts. Throws `forbidden`, `not_found`. */
export async function requeueDelivery(
  context: WebhooksContext,
  caller: Caller,
  { id, eventId }: { id: string; eventId: string },
): Promise<void> {
  const row = await findManaged(context, caller, id);
  const missing = () => notFound("not_found", "delivered event or dead letter", { id: eventId });
  if (!isId(eventId)) throw missing();
  const query = requeue(context.db, { ...caller, id }, { eventId }, dueNow(context));
  const isRequeued = await commitWrite(context, caller, null, [
    { query, mustChange: true },
    auditInsert(context, caller, {
      action: "webhook.requeue",
      target: id,
      details: { host: hostOf(row), eventId },
    }),
  ]);
  if (!isRequeued) throw missing();
  context.webhooks.worker.kick();
}

/** More rows would block the embedded database for too long. */
const maxRequeued = 1_000;

/** Requeues the dead letters of a webhook, at most the oldest thousand. Throws `forbidden`, `not_found`. */
export async function requeueDeadLetters(
  context: WebhooksContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const row = await findManaged(context, caller, id);
  const query = requeue(context.db, { ...caller, id }, { maxDead: maxRequeued }, dueNow(context));
  const isRequeued = await commitWrite(context, caller, null, [
    query,
    auditInsert(context, caller, {
      action: "webhook.requeue",
      target: id,
      details: { host: hostOf(row) },
    }),
  ]);
  if (!isRequeued) throw lostKey();
  context.webhooks.worker.kick();
}

function dueNow({ clock }: WebhooksContext) {
  const now = clock.now();
  return { due_at: now, expires_at: now + retainedMs };
}

/** The state of the deliveries of all workspaces, for metrics. NaN while the database is unavailable. */
export async function readDeliveryState({
  db,
  clock,
}: WebhooksContext): Promise<{ pending: number; dead: number; overdueMs: number }> {
  try {
    return await readTotals(db, clock.now());
  } catch {
    return { pending: Number.NaN, dead: Number.NaN, overdueMs: Number.NaN };
  }
}
