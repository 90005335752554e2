import { beat, beatIntervalMs, leaveCluster, sealEvents } from "#core/kernel";
import { chatTasks } from "#core/chat";
import { deleteExpiredAttempts } from "#core/oauth-client";
import { followKey } from "#core/vault";
import type { Context } from "#core/context";
import { removeStaleIncoming } from "#core/files";
import { deleteOldCounts } from "#core/limits";
import {
  deleteOldMessages,
  obeyCancelRequests,
  takeOverForgottenRuns,
  takeOverRuns,
  takeWaitingRuns,
  tellEndedRuns,
} from "#core/runs";
import { sweep } from "#core/workspaces";
import { acceptHarmlessUpdates } from "#core/catalog";
import { every } from "#lib/every";

/** What goes on beside the requests. */
export function startTasks(context: Context) {
  const { config, db, log } = context;
  const { queue } = context.runs;
  const task = (name: string, pauseMs: number, work: (signal: AbortSignal) => Promise<unknown>) =>
    every(pauseMs, work, (error) => log.error({ err: error }, `${name} failed`));
  queue.start(
    () => takeWaitingRuns(context),
    (error) => log.error({ err: error }, "taking waiting runs failed"),
  );
  queue.kick();
  context.builder.warmUp();
  return [
    task("sealing the audit trail", config.AUDIT_SEAL_INTERVAL_MS, () => sealEvents(db)),
    task("writing last-used times", 10_000, () => context.lastUsed.flush()),
    task("seeing to forgotten runs", 5_000, () => takeOverForgottenRuns(context)),
    task("deleting old counts", 300_000, () => deleteOldCounts(db)),
    task("deleting broken uploads", 60_000, () => removeStaleIncoming(context, 3_600_000)),
    task("deleting expired OAuth attempts", 300_000, () => deleteExpiredAttempts(context)),
    task("deleting old data", 60_000, (signal) => sweep(context, signal)),
    task("accepting updates", 10_000, () => acceptHarmlessUpdates(context)),
    task("the heartbeat", beatIntervalMs, () => keepAlive(context)),
    task("following the encryption key", beatIntervalMs, () => followKey(db, context.envelopes)),
    ...chatTasks.map(({ name, pauseMs, work }) => task(name, pauseMs, () => work(context))),
    ...(db.dialect === "sqlite"
      ? []
      : [
          // Messages between nodes may be lost, so each node also looks.
          task("looking for cancelled runs", 500, () => obeyCancelRequests(context)),
          task("looking for ended runs", 500, () => tellEndedRuns(context)),
          task("looking for waiting runs", 1_000, async () => queue.kick()),
          task("deleting relayed messages", 60_000, () => deleteOldMessages(context)),
        ]),
  ];
}

/** Says that this node lives, and sees to the runs of those that no longer do. */
export async function keepAlive(context: Context): Promise<void> {
  const live = await beat(context);
  if (live !== undefined) await takeOverRuns(context, live);
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
