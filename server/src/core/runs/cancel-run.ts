import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "@toolhost/contract";
import type { Caller } from "#core/access";
import { auditInsert } from "#core/audit";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import { findRunRow, getRun } from "./get-run.ts";
import { findCancelRequests, requestCancel } from "./run-store.ts";

const lookIntervalMs = 100;
/** Longer than a node takes to notice a request, and a dead one to be found dead. */
const longestWaitMs = 25_000;

/**
 * Stops a run that is under way, on whatever node, and answers with its record. Throws
 * `run_not_found`, and `run_not_cancellable` when it has ended already.
 */
export async function cancelRun(context: Context, caller: Caller, runId: string): Promise<Run> {
  const row = await findRunRow(context, caller, runId);
  const isRequested = await context.db.transact([
    { query: requestCancel(context.db, row.id), mustChange: true },
    auditInsert(context, caller, { action: "run.cancel", target: runId }),
  ]);
  if (!isRequested) {
    const { status } = await findRunRow(context, caller, runId);
    throw new ServiceError("run_not_cancellable", `The run is ${status}.`);
  }
  for (let waited = 0; waited < longestWaitMs; waited += lookIntervalMs) {
    // In each round: a run that was only just accepted may not have begun in the first.
    const active = context.activeRuns.get(runId);
    active?.abort.abort();
    await active?.ended;
    const run = await getRun(context, caller, runId);
    if (run.status !== "running") return run;
    await sleep(lookIntervalMs);
  }
  return getRun(context, caller, runId);
}

/** Stops the runs of this node that were cancelled through another. */
export async function obeyCancelRequests(context: Context): Promise<void> {
  if (context.activeRuns.size === 0) return;
  for (const runId of await findCancelRequests(context.db, context.nodeId)) {
    context.activeRuns.get(runId)?.abort.abort();
  }
}
