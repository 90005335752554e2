import type { Run, RunResult } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { reserveWait } from "#core/limits";
import type { RunTable } from "#db";
import { within } from "#lib/within";
import type { RunsContext } from "./context.ts";
import { getRun } from "./records/get-run.ts";
import { presentResult } from "./records/present-run.ts";
import type { RunOutcome } from "./records/present-run.ts";
import { findEndedRuns, findRun, findStoredResponse, storeEarlyResponse } from "./run-store.ts";

type Wait = {
  run: Pick<RunTable, "id" | "workspace_id" | "idempotency_id">;
  /** The response while the run has not ended. */
  result: RunResult;
  waitMs: number;
};

/**
 * Waits for the end of a run that was just submitted, and returns its result, or `running` after the wait. `outcome` is the
 * run's end while it executes on this node.
 */
export async function waitForCompletion(
  context: RunsContext,
  wait: Wait,
  outcome?: Promise<RunOutcome>,
): Promise<RunResult> {
  const { waitMs, result } = wait;
  if (outcome === undefined) return waitForAnyNode(context, wait);
  const inTime = await within(outcome, waitMs);
  // Without a wait, the key's response was stored with the run.
  if (inTime === undefined && (waitMs === 0 || (await storeRunning(context, wait)))) return result;
  const ended = inTime ?? (await outcome);
  if (ended.status !== "running") return presentResult(ended, context.config.baseUrl);
  // Another node considered this one offline and queued the run again.
  return waitForAnyNode(context, wait);
}

async function waitForAnyNode(context: RunsContext, wait: Wait): Promise<RunResult> {
  if (wait.waitMs === 0) return wait.result;
  const deadline = performance.now() + wait.waitMs;
  for (;;) {
    const waiter = context.runs.completions.wait(wait.run.id);
    const hasEnded = await within(waiter.ended, deadline - performance.now()).finally(() =>
      waiter.cancel(),
    );
    if (hasEnded !== true && (await storeRunning(context, wait))) return wait.result;
    const response = await findResponse(context, wait);
    if (response !== undefined) return response;
    if (hasEnded !== true) return wait.result;
    // Only this node's attempt has ended, and another node executes the run now.
  }
}

/** What a replay will return, byte for byte: a response sent before the run's end, else that end, whichever node wrote it. */
async function findResponse(
  context: RunsContext,
  { run }: Pick<Wait, "run">,
): Promise<RunResult | undefined> {
  const { idempotency_id: recordId } = run;
  const [stored, row] = await Promise.all([
    recordId === null ? undefined : findStoredResponse(context.db, recordId),
    findRun(context.db, { workspaceId: run.workspace_id }, run.id),
  ]);
  const response = stored === undefined ? undefined : (JSON.parse(stored) as RunResult | string);
  if (typeof response === "object") return response;
  if (row === undefined || row.status === "running") return undefined;
  const result = presentResult(row, context.config.baseUrl);
  // The node that ended the run stored the tool's URL for replays, which must return the same bytes.
  return response === undefined ? result : { ...result, toolUrl: response };
}

/** Stores `running` as the key's response, unless the run's end was stored just before. */
async function storeRunning(context: RunsContext, { run, result }: Wait): Promise<boolean> {
  const { idempotency_id: recordId } = run;
  if (recordId === null) return true;
  return storeEarlyResponse(context.db, recordId, JSON.stringify(result));
}

/**
 * Returns a run once it has ended on any node, or in its current state after the wait. Returns immediately if too many
 * requests already wait. Throws `run_not_found`.
 */
export async function longPoll(
  context: RunsContext,
  caller: Caller,
  runId: string,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<Run> {
  const stopWaiting = waitMs > 0 ? reserveWait(context, caller) : undefined;
  const deadline = performance.now() + (stopWaiting === undefined ? 0 : waitMs);
  try {
    for (;;) {
      // Waits before the run is read, so that it cannot miss the end.
      const waiter = context.runs.completions.wait(runId);
      try {
        const run = await getRun(context, caller, runId);
        const leftMs = deadline - performance.now();
        const isOver = leftMs <= 0 || signal.aborted || context.cluster.isStopping;
        if (run.status !== "running" || isOver) return run;
        await within(waiter.ended, leftMs, signal);
      } finally {
        waiter.cancel();
      }
    }
  } finally {
    stopWaiting?.();
  }
}

/** Notifies waiters of this process about runs that other nodes have ended, in case the message was lost. */
export async function notifyWaiters({ db, runs }: RunsContext): Promise<void> {
  const runIds = runs.completions.runIds();
  if (runIds.length === 0) return;
  for (const runId of await findEndedRuns(db, runIds)) runs.completions.notify(runId);
}
