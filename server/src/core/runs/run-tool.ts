import type { RunResult } from "@toolhost/contract";
import type { RunnableTool } from "#core/catalog";
import type { Caller } from "#core/kernel";
import { reserveWait, chargeRun } from "#core/limits";
import type { LimitState } from "#core/limits";
import { createActiveRun } from "./active-runs.ts";
import type { RunsContext } from "./context.ts";
import { executeRun } from "./execute.ts";
import { noLoad } from "./queue/admission.ts";
import type { Load } from "./queue/admission.ts";
import { countRunningElsewhere } from "./queue/queue-store.ts";
import { announceQueued } from "./relay/node-messages.ts";
import type { RunKey } from "./new-run.ts";
import { startUnwritten } from "./start-unwritten.ts";
import { prepare, submitRun, validateRun } from "./submit.ts";
import { waitForCompletion } from "./wait.ts";

type RunRequest = {
  toolName: string;
  /** The version of a draft, which runs instead of the tool of that name. */
  draft?: RunnableTool | undefined;
  /** Any JSON: the tool's input schema decides. */
  input: unknown;
  /** How long to wait for the end before responding `running`, in milliseconds. */
  waitMs: number;
  /** The Idempotency-Key, with which the run is created once. */
  key?: RunKey | undefined;
  /** Called with the caller's state of the limits on runs. */
  noteLimits?: ((state: LimitState) => void) | undefined;
  /** Called with the run's ID once the run is in the database. */
  noteRun?: ((runId: string) => void) | undefined;
};

/**
 * Runs a tool and returns its result, or `running` when it takes longer than the wait or too many requests wait already. Once
 * this resolves, the run is in the database and will reach an end. Throws `tool_not_found`, `invalid_input`,
 * `credentials_missing`, `unavailable`, `rate_limited`, `quota_exceeded`, and `KeyTakenError`.
 */
export async function runTool(
  context: RunsContext,
  caller: Caller,
  { toolName, draft, input, waitMs, key, noteLimits, noteRun }: RunRequest,
): Promise<RunResult> {
  const [valid, runningElsewhere] = await Promise.all([
    validateRun(context, caller, { toolName, draft, input, key: key?.request }),
    context.cluster.size < 2 ? noLoad : readLoadElsewhere(context, caller.workspaceId),
  ]);
  const points = await chargeRun(context, caller);
  noteLimits?.(points.state);
  const stopWaiting = waitMs > 0 ? reserveWait(context, caller) : undefined;
  const isAsync = stopWaiting === undefined;
  try {
    const mayDelay = !isAsync && !valid.isKeyTaken;
    const submission = { key, isAsync, mayDelay, runningElsewhere };
    const submitted = await submitRun(context, caller, valid, submission).catch(
      (error: unknown) => {
        // A request that creates no run, such as a replay, does not count.
        points.refund();
        throw error;
      },
    );
    const { run, result, slot } = submitted;
    // Drafts are private to their authors.
    const loggedName = run.draft_id === null ? run.tool_name : undefined;
    context.accessLog.noteRun(caller.requestId, { runId: run.id, toolName: loggedName });
    const note = (ended: RunResult) => noteResult(context, caller.requestId, ended);
    const wait = { run, result, waitMs: isAsync ? 0 : waitMs };
    if (slot !== undefined) {
      const active = mayDelay
        ? startUnwritten(context, { run, key, noteRun })
        : createActiveRun(run);
      if (!mayDelay) noteRun?.(run.id);
      const prepared = prepare(valid);
      const outcome = executeRun(context, { run, active, slot, prepared });
      // It rejects if the run could not be written.
      outcome.catch(() => points.refund());
      return note(await waitForCompletion(context, { ...wait, record: active.record }, outcome));
    }
    noteRun?.(run.id);
    // Waits before the queue is woken, so that it cannot miss the end.
    const completion = waitForCompletion(context, wait);
    context.runs.queue.add(caller.workspaceId);
    announceQueued(context);
    return note(await completion);
  } finally {
    stopWaiting?.();
  }
}

function readLoadElsewhere({ db, nodeId, runs }: RunsContext, workspaceId: string): Promise<Load> {
  return runs.loadElsewhere.read(workspaceId, () => countRunningElsewhere(db, nodeId, workspaceId));
}

function noteResult({ accessLog }: RunsContext, requestId: string, result: RunResult): RunResult {
  const { runId, status } = result;
  const code = result.status === "failed" ? result.error?.code : undefined;
  accessLog.noteResult(requestId, { runId, status, code });
  return result;
}
