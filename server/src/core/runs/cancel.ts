import type { Run } from "@toolhost/contract";
import { auditInsert, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { findCancelledRuns, findCancelRequests, requestCancel } from "./cancel-store.ts";
import type { CancelledRuns } from "./cancel-store.ts";
import { abortRunsOf } from "./active-runs.ts";
import type { RunsContext } from "./context.ts";
import { finalizeLostRun } from "./finalize.ts";
import { findRunRow, getRun } from "./records/get-run.ts";
import { broadcast } from "./relay/node-messages.ts";
import { within } from "#lib/within";

const pollIntervalMs = 250;
/** Queued runs that are ended at the same time, which share round trips. */
const endedAtOnce = 20;
/** Longer than a node takes to notice the cancellation, and the others to notice that a node is offline. */
const maxWaitMs = 25_000;

/**
 * Cancels a queued or running run on any node, and returns it. Throws `run_not_found`, and `run_not_cancellable` when it
 * has ended already.
 */
export async function cancelRun(context: RunsContext, caller: Caller, runId: string): Promise<Run> {
  const row = await findRunRow(context, caller, runId);
  const isRequested = await context.db.transact([
    { query: requestCancel(context.db, row.id), mustChange: true },
    auditInsert(context, caller, { action: "run.cancel", target: runId }),
  ]);
  if (!isRequested) {
    const { status } = await findRunRow(context, caller, runId);
    const message = `Run ${runId} has already ended: it is ${status}.`;
    throw new ServiceError("run_not_cancellable", message);
  }
  broadcast(context, { kind: "cancel", runId });
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const now = await findRunRow(context, caller, runId);
    if (now.status !== "running" || performance.now() > deadline) break;
    if (now.queued === 1) await finalizeLostRun(context, now, "cancelled");
    else await abortAndWait(context, runId);
  }
  return getRun(context, caller, runId);
}

/** Aborts the run if it executes on this node, and waits for its end or the next poll. */
async function abortAndWait({ runs }: RunsContext, runId: string): Promise<void> {
  const waiter = runs.completions.wait(runId);
  try {
    // On each poll: a run that was accepted a moment ago may not have been active on the first.
    runs.activeRuns.get(runId)?.abort.abort();
    await within(waiter.news, pollIntervalMs);
  } finally {
    waiter.cancel();
  }
}

/** Aborts the runs of this node that were cancelled through another. */
export async function applyCancelRequests({ db, nodeId, runs }: RunsContext): Promise<void> {
  if (runs.activeRuns.size === 0) return;
  for (const runId of await findCancelRequests(db, nodeId)) {
    const active = runs.activeRuns.get(runId);
    if (active === undefined) continue;
    active.hasRemoteWaiters = true;
    active.abort.abort();
  }
}

/**
 * Stops all runs of a workspace, or of one user in it, after their access was revoked, which marks the written ones as cancelled:
 * immediately on this node, and on other nodes as soon as they receive the message.
 */
export async function stopRevokedRuns(
  context: RunsContext,
  { workspaceId, userId }: { workspaceId: string; userId?: string },
): Promise<void> {
  const whose = { workspaceId, userId };
  abortRunsOf(context.runs.activeRuns, whose);
  broadcast(context, { kind: "revoked", ...whose });
  await stopCancelledRuns(
    context,
    userId === undefined ? { workspaceId } : { workspaceId, userId },
  );
}

/** Stops the runs of a workspace, or of one user or batch in it, that are marked as cancelled. */
export async function stopCancelledRuns(context: RunsContext, which: CancelledRuns): Promise<void> {
  const runs = await findCancelledRuns(context.db, which);
  for (const run of runs.filter(({ queued }) => queued !== 1)) {
    broadcast(context, { kind: "cancel", runId: run.id });
    context.runs.activeRuns.get(run.id)?.abort.abort();
  }
  const queued = runs.filter((run) => run.queued === 1);
  for (let first = 0; first < queued.length; first += endedAtOnce) {
    const some = queued.slice(first, first + endedAtOnce);
    await Promise.all(some.map((run) => finalizeLostRun(context, run, "cancelled")));
  }
}
