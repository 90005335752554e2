import { heartbeat, heartbeatIntervalMs, leaveCluster, sealEvents } from "#core/kernel";
import { chatTasks } from "#core/chat";
import { deleteExpiredAttempts } from "#core/oauth-client";
import { followKey } from "#core/vault";
import type { Context } from "#core/context";
import { removeStaleIncoming } from "#core/files";
import { deleteOldCounts } from "#core/limits";
import {
  applyCancelRequests,
  deleteOldMessages,
  notifyWaiters,
  processQueue,
  recoverOrphanedRuns,
  recoverOwnOrphanedRuns,
} from "#core/runs";
import { sweep } from "#core/workspaces";
import { acceptHarmlessUpdates } from "#core/catalog";
import { every } from "#lib/every";

/** What goes on beside the requests. */
export function startTasks(context: Context) {
  const { config, db, log } = context;
  const task = (name: string, pauseMs: number, work: (signal: AbortSignal) => Promise<unknown>) =>
    every(pauseMs, work, (error) => log.error({ err: error }, `${name} failed`));
  void processQueue(context);
  context.runs.queue.wake();
  context.builder.warmUp();
  return [
    task("sealing the audit trail", config.AUDIT_SEAL_INTERVAL_MS, () => sealEvents(db)),
    task("writing last-used times", 10_000, () => context.lastUsed.flush()),
    task("recovering this node's orphaned runs", 5_000, () => recoverOwnOrphanedRuns(context)),
    task("deleting old counts", 300_000, () => deleteOldCounts(db)),
    task("deleting broken uploads", 60_000, () => removeStaleIncoming(context, 3_600_000)),
    task("deleting expired OAuth attempts", 300_000, () => deleteExpiredAttempts(context)),
    task("deleting old data", 60_000, (signal) => sweep(context, signal)),
    task("accepting updates", 10_000, () => acceptHarmlessUpdates(context)),
    task("the heartbeat", heartbeatIntervalMs, () => keepAlive(context)),
    task("following the encryption key", heartbeatIntervalMs, () =>
      followKey(db, context.envelopes),
    ),
    ...chatTasks.map(({ name, pauseMs, work }) => task(name, pauseMs, () => work(context))),
    ...(db.dialect === "sqlite"
      ? []
      : [
          // Messages between nodes may be lost, so each node also polls.
          task("polling cancelled runs", 500, () => applyCancelRequests(context)),
          task("polling ended runs", 500, () => notifyWaiters(context)),
          task("polling queued runs", 1_000, async () => context.runs.queue.wake()),
          task("deleting relayed messages", 60_000, () => deleteOldMessages(context)),
        ]),
  ];
}

/** Sends this node's heartbeat, and recovers the runs of dead nodes. */
export async function keepAlive(context: Context): Promise<void> {
  const live = await heartbeat(context);
  if (live !== undefined) await recoverOrphanedRuns(context, live);
}

/** Writes what is better written now; what cannot be, others or the next start make good. */
export async function leaveInOrder(context: Context): Promise<void> {
  const steps = [
    () => context.lastUsed.flush(),
    () => sealEvents(context.db),
    () => context.limits.stop(),
    () => leaveCluster(context),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      context.log.warn({ err: error }, "the service could not write all it wanted before its end");
    }
  }
}
