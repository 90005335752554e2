import { checkAlerts, deleteOldNotifications, deliverNotifications } from "#core/alerts";
import {
  hasTurn,
  heartbeat,
  heartbeatIntervalMs,
  leaveCluster,
  msUntilTurn,
  sealEvents,
} from "#core/kernel";
import { chatTasks } from "#core/chat";
import { deleteExpiredAttempts } from "#core/oauth-client";
import { followKey } from "#core/vault";
import type { Context } from "#core/context";
import { removeStaleIncoming } from "#core/files";
import { checkDueImports } from "#core/imports";
import { deleteOldCounts } from "#core/limits";
import {
  applyCancelRequests,
  deleteOldBridges,
  deleteOldMessages,
  notifyWaiters,
  processQueue,
  recoverOrphanedRuns,
  recoverOwnOrphanedRuns,
} from "#core/runs";
import { countRuns } from "#core/stats";
import { sweep } from "#core/workspaces";
import { startWebhookWorker } from "#core/webhooks";
import { acceptHarmlessUpdates, refreshVectors, resolveSearches } from "#core/catalog";
import { explainOutage } from "#db";
import { every } from "#lib/every";

/** Starts the periodic tasks of this node. `onContact` is called after each heartbeat that the database accepted. */
export function startTasks(context: Context, onContact: () => void) {
  const { config, db } = context;
  const { task, shared } = schedule(context);
  void processQueue(context);
  context.runs.queue.wake();
  context.builder.prepare();
  startWebhookWorker(context);
  return [
    shared("sealing the audit log", config.AUDIT_SEAL_INTERVAL_MS, () => sealEvents(db)),
    task("writing last-used times", 10_000, () => context.lastUsed.flush()),
    task("recovering orphaned runs", 5_000, () => recoverOwnOrphanedRuns(context)),
    shared("deleting expired rate-limit counters", 300_000, () => deleteOldCounts(db)),
    task("deleting interrupted uploads", 60_000, () => removeStaleIncoming(context, 3_600_000)),
    shared("deleting expired connection attempts", 300_000, () => deleteExpiredAttempts(context)),
    task("applying retention", 60_000, (signal) => sweep(context, signal)),
    task("counting runs", 60_000, (signal) => countRuns(context, signal)),
    task("checking alerts", 5_000, (signal) => checkAlerts(context, signal)),
    shared("delivering notifications of alerts", 2_000, () => deliverNotifications(context)),
    shared("deleting old notifications", 600_000, () => deleteOldNotifications(context)),
    shared("accepting tool updates", 10_000, () => acceptHarmlessUpdates(context)),
    shared("deleting relayed messages", 60_000, () => deleteOldMessages(context)),
    shared("deleting old bridges", 3_600_000, () => deleteOldBridges(context)),
    task("storing searches", 10_000, () => context.catalog.searchLog.flush(db)),
    shared("learning from searches", 60_000, () => resolveSearches(context, context.clock.now())),
    task("embedding tools", 500, (signal) => refreshVectors(context, signal)),
    shared("checking imports", 10_000, (signal) => checkDueImports(context, signal)),
    shared("polling for due webhook deliveries", 500, async () => context.webhooks.worker.kick()),
    task("heartbeat", heartbeatIntervalMs, async () => {
      await keepAlive(context);
      onContact();
    }),
    task("checking for a new encryption key", heartbeatIntervalMs, () =>
      followKey(db, context.envelopes),
    ),
    ...chatTasks.map(({ name, pauseMs, work, isShared }) =>
      (isShared ? shared : task)(name, pauseMs, () => work(context)),
    ),
    ...(db.dialect === "sqlite" ? [] : startPolls(context)),
  ];
}

/** Notifications between nodes may be lost, so each node also polls. */
function startPolls(context: Context) {
  const { task } = schedule(context);
  return [
    task("polling for cancelled runs", 500, () => applyCancelRequests(context)),
    task("polling for finished runs", 500, () => notifyWaiters(context)),
    task(
      "polling for queued runs",
      () => queuePollMs(context),
      async () => context.runs.queue.wake(),
    ),
  ];
}

type Work = (signal: AbortSignal) => Promise<unknown>;

function schedule(context: Context) {
  const onError = (name: string) => (error: unknown) =>
    context.log.error({ err: error }, `${name} failed`);
  return {
    task: (name: string, pauseMs: number | (() => number), work: Work) =>
      every(pauseMs, work, onError(name)),
    /**
     * A task that any node may perform, and that all nodes together perform as often as one. A task that holds a lock for longer than
     * its period is none of these.
     */
    shared: (name: string, periodMs: number, work: Work) =>
      every(
        () => msUntilTurn(context, periodMs),
        async (signal) => {
          if (hasTurn(context, name, periodMs)) await work(signal);
        },
        onError(name),
      ),
  };
}

/** How many nodes poll for queued runs each second, at most. */
const queuePollsPerSecond = 10;

/** A message about a queued run may be lost. With many nodes each polls less often, since any of them may execute the run. */
function queuePollMs({ cluster }: Context): number {
  return 1_000 * Math.max(1, cluster.size / queuePollsPerSecond);
}

/** Writes this node's heartbeat, and recovers the runs of nodes that stopped. */
export async function keepAlive(context: Context): Promise<void> {
  const live = await heartbeat(context);
  const isTurn = hasTurn(context, "recovering runs of lost nodes", heartbeatIntervalMs);
  if (live !== undefined && isTurn) await recoverOrphanedRuns(context, live);
}

/**
 * Writes pending state before shutdown. If a step fails, other nodes or the next start recover from it. None follows one that
 * met an outage, because each would wait for the database as long.
 */
export async function leaveInOrder(context: Context): Promise<void> {
  const steps = [
    () => context.lastUsed.flush(),
    () => context.catalog.searchLog.flush(context.db, true),
    () => sealEvents(context.db),
    () => context.limits.stop(),
    () => leaveCluster(context),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      context.log.warn({ err: error }, "could not write all pending state before shutdown");
      if (explainOutage(error) !== undefined) return;
    }
  }
}
