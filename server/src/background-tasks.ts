import { checkAlerts, deleteOldNotifications, deliverNotifications } from "#core/alerts";
import { heartbeat, heartbeatIntervalMs, leaveCluster, sealEvents } from "#core/kernel";
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
  const { config, db, log } = context;
  const task = (name: string, pauseMs: number, work: (signal: AbortSignal) => Promise<unknown>) =>
    every(pauseMs, work, (error) => log.error({ err: error }, `${name} failed`));
  void processQueue(context);
  context.runs.queue.wake();
  context.builder.warmUp();
  startWebhookWorker(context);
  return [
    task("sealing the audit log", config.AUDIT_SEAL_INTERVAL_MS, () => sealEvents(db)),
    task("writing last-used times", 10_000, () => context.lastUsed.flush()),
    task("recovering orphaned runs", 5_000, () => recoverOwnOrphanedRuns(context)),
    task("deleting expired rate-limit counters", 300_000, () => deleteOldCounts(db)),
    task("deleting interrupted uploads", 60_000, () => removeStaleIncoming(context, 3_600_000)),
    task("deleting expired connection attempts", 300_000, () => deleteExpiredAttempts(context)),
    task("applying retention", 60_000, (signal) => sweep(context, signal)),
    task("counting runs", 60_000, (signal) => countRuns(context, signal)),
    task("checking alerts", 5_000, (signal) => checkAlerts(context, signal)),
    task("delivering notifications of alerts", 2_000, () => deliverNotifications(context)),
    task("deleting old notifications", 600_000, () => deleteOldNotifications(context)),
    task("accepting tool updates", 10_000, () => acceptHarmlessUpdates(context)),
    task("deleting relayed messages", 60_000, () => deleteOldMessages(context)),
    task("deleting old bridges", 3_600_000, () => deleteOldBridges(context)),
    task("storing searches", 10_000, () => context.catalog.searchLog.flush(db)),
    task("learning from searches", 60_000, () => resolveSearches(context, context.clock.now())),
    task("embedding tools", 500, (signal) => refreshVectors(context, signal)),
    task("checking imports", 10_000, (signal) => checkDueImports(context, signal)),
    task("polling for due webhook deliveries", 500, async () => context.webhooks.worker.kick()),
    task("heartbeat", heartbeatIntervalMs, async () => {
      await keepAlive(context);
      onContact();
    }),
    task("checking for a new encryption key", heartbeatIntervalMs, () =>
      followKey(db, context.envelopes),
    ),
    ...chatTasks.map(({ name, pauseMs, work }) => task(name, pauseMs, () => work(context))),
    ...(db.dialect === "sqlite"
      ? []
      : [
          // Notifications between nodes may be lost, so each node also polls.
          task("polling for cancelled runs", 500, () => applyCancelRequests(context)),
          task("polling for finished runs", 500, () => notifyWaiters(context)),
          task("polling for queued runs", 1_000, async () => context.runs.queue.wake()),
        ]),
  ];
}

/** Writes this node's heartbeat, and recovers the runs of nodes that stopped. */
export async function keepAlive(context: Context): Promise<void> {
  const live = await heartbeat(context);
  if (live !== undefined) await recoverOrphanedRuns(context, live);
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
