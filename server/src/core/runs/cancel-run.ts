import type { Run } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, ServiceError } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { findRunRow, getRun } from "./get-run.ts";
import { broadcast } from "./relay/node-messages.ts";
import { findCancelRequests, requestCancel } from "./run-store.ts";
import { endWaitingRun } from "./take-over-runs.ts";

/** How often to look when nobody tells. */
const lookIntervalMs = 250;
/** Longer than a node takes to notice a request, and a dead one to be found dead. */
const maxWaitMs = 25_000;

/**
 * Stops a run that is under way or waits, on whatever node, and answers with its record. Throws
 * `run_not_found`, and `run_not_cancellable` when it has ended already.
 */
export async function cancelRun(context: RunsContext, caller: Caller, runId: string): Promise<Run> {
  const row = await findRunRow(context, caller, runId);
  const isRequested = await context.db.transact([
    { query: requestCancel(context.db, row.id), mustChange: true },
    auditInsert(context, caller, { action: "run.cancel", target: runId }),
  ]);
  if (!isRequested) {
    const { status } = await findRunRow(context, caller, runId);
    throw new ServiceError("run_not_cancellable", `The run is ${status}.`);
  }
  broadcast(context, { kind: "cancel", runId });
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const now = await findRunRow(context, caller, runId);
    if (now.status !== "running" || performance.now() > deadline) break;
    if (now.queued === 1) await endWaitingRun(context, now);
    else await stopAndWait(context, runId);
  }
  return getRun(context, caller, runId);
}

/** Stops the run if it is this node's, and waits for its end or for the next look. */
async function stopAndWait(context: RunsContext, runId: string): Promise<void> {
  const waiter = context.runs.completions.wait(runId);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, lookIntervalMs);
  });
  try {
    // In each round: a run that was only just accepted may not have begun in the first.
    context.runs.activeRuns.get(runId)?.abort.abort();
    await Promise.race([waiter.ended, late]);
  } finally {
    clearTimeout(timer);
    waiter.cancel();
  }
}

/** Stops the runs of this node that were cancelled through another. */
export async function obeyCancelRequests(context: RunsContext): Promise<void> {
  if (context.runs.activeRuns.size === 0) return;
  for (const runId of await findCancelRequests(context.db, context.nodeId)) {
    const active = context.runs.activeRuns.get(runId);
    if (active === undefined) continue;
    active.hasRemoteWaiters = true;
    active.abort.abort();
  }
}
