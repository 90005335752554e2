import { readInboxState } from "#core/chat";
import type { Context } from "#core/context";
import { readQueueState } from "#core/runs";
import { readDeliveryState } from "#core/webhooks";
import { within } from "#lib/within";
import type { Instruments } from "./instruments.ts";

/** Metrics of one scrape that are read together share a statement. */
const sharedMs = 100;
/** A scrape does not wait longer for the database. */
const maxWaitMs = 1_000;
const unknown = Number.NaN;

/** Adds what waits in the database, on all nodes, and the runs of this process. Values are NaN while it is unavailable. */
export function addQueueMetrics(context: Context, { gauge }: Instruments): void {
  const { admission, childSlots } = context.runs;
  gauge("runs_running", "Runs in progress in this process.", () => admission.running());
  gauge(
    "child_runs_running",
    "Runs in progress that other runs wait for, not included above.",
    () => childSlots.running(),
  );
  const queue = shared(() => readQueueState(context), { queued: unknown, maxAgeMs: unknown });
  gauge("runs_queued", "Queued runs, on all nodes.", async () => (await queue()).queued);
  gauge(
    "runs_queued_age_max_seconds",
    "Age of the run that has been queued longest, on all nodes; 0 if none is queued.",
    async () => (await queue()).maxAgeMs / 1_000,
  );
  const inbox = shared(() => readInboxState(context), {
    waiting: unknown,
    dead: unknown,
    maxAgeMs: unknown,
  });
  gauge(
    "chat_messages_waiting",
    "Chat messages waiting to be processed, on all nodes.",
    async () => (await inbox()).waiting,
  );
  gauge(
    "chat_messages_age_max_seconds",
    "Age of the chat message that has waited longest, on all nodes; 0 if none waits.",
    async () => (await inbox()).maxAgeMs / 1_000,
  );
  gauge(
    "chat_dead_letters",
    "Chat messages that could not be processed, on all nodes.",
    async () => (await inbox()).dead,
  );
}

/** Adds the deliveries of webhooks. */
export function addWebhookMetrics(context: Context, { gauge }: Instruments): void {
  const state = shared(() => readDeliveryState(context), {
    pending: unknown,
    dead: unknown,
    overdueMs: unknown,
  });
  gauge(
    "webhook_deliveries_pending",
    "Pending deliveries of webhooks, on all nodes, counted up to 10,000.",
    async () => (await state()).pending,
  );
  gauge(
    "webhook_dead_letters",
    "Dead letters of webhooks, on all nodes, counted up to 10,000.",
    async () => (await state()).dead,
  );
  gauge(
    "webhook_deliveries_overdue_max_seconds",
    "How long the delivery that has waited longest is overdue, on all nodes, except those of webhooks that are disabled or paused; 0 if none is.",
    async () => (await state()).overdueMs / 1_000,
  );
}

/** Reads at most once per scrape. `late` is returned if that takes too long. */
function shared<T>(read: () => Promise<T>, late: T): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > sharedMs)
      last = { at: now, value: inTime(read(), late) };
    return last.value;
  };
}

async function inTime<T>(work: Promise<T>, late: T): Promise<T> {
  return (await within(work, maxWaitMs)) ?? late;
}
