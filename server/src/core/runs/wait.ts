import type { Run, RunResult } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { reserveWait } from "#core/limits";
import type { RunTable } from "#db";
import { within } from "#lib/within";
import type { News, Waiter } from "./completions.ts";
import type { RunsContext } from "./context.ts";
import { getRun } from "./records/get-run.ts";
import { presentResult } from "./records/present-run.ts";
import type { RunOutcome } from "./records/present-run.ts";
import type { RunRecord } from "./run-record.ts";
import { storeEarlyResponse } from "./end-store.ts";
import { findNews, findRun, findStoredResponse } from "./run-store.ts";

type Wait = {
  /** Whether the run is in the database yet, if it executes here. */
  record?: RunRecord | undefined;
  run: Pick<RunTable, "id" | "workspace_id" | "idempotency_id">;
  /** The response while the run has not ended. */
  result: RunResult;
  waitMs: number;
};

/**
 * Waits for the end of a run that was just submitted, and returns its result. Returns `running` after the wait, and when the tool
 * asks a question. `outcome` is the run's end while it executes on this node.
 */
export async function waitForCompletion(
  context: RunsContext,
  wait: Wait,
  outcome?: Promise<RunOutcome>,
): Promise<RunResult> {
  const { run, result, waitMs } = wait;
  if (waitMs === 0) return result;
  const deadline = performance.now() + waitMs;
  let local = outcome;
  let mustRead = false;
  for (;;) {
    // Waits before the run is read, so that it misses nothing.
    const waiter = context.runs.completions.wait(run.id);
    try {
      const response = mustRead ? await findResponse(context, wait) : undefined;
      if (response !== undefined) return response;
      const news = await within(nextNews(waiter.news, local), deadline - performance.now());
      if (news === undefined || news === "released") break;
      mustRead = typeof news === "string";
      if (typeof news === "string") continue;
      if (news.status !== "running") return presentResult(news, context.config.baseUrl);
      // Another node considered this one offline and queued the run again.
      local = undefined;
    } finally {
      waiter.cancel();
    }
  }
  // A caller that knows the ID of a run can rely on its record.
  await wait.record?.ensure();
  if (await storeRunning(context, wait)) return result;
  return (await findResponse(context, wait)) ?? result;
}

/** While the run executes here, its end is known without a query. */
function nextNews(
  news: Waiter["news"],
  outcome: Promise<RunOutcome> | undefined,
): Promise<RunOutcome | News> {
  if (outcome === undefined) return news;
  return Promise.race([
    outcome,
    news.then<RunOutcome | News>((which) => (which === "asked" ? which : outcome)),
  ]);
}

/**
 * What a replay will return, byte for byte: a response sent before the run's end, else that end, whichever node wrote it, or the
 * question that its tool asks now.
 */
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
  if (row === undefined) return undefined;
  const result = presentResult(row, context.config.baseUrl);
  if (row.status === "running") {
    if (result.question === undefined) return undefined;
    return (await storeRunning(context, { run, result })) ? result : undefined;
  }
  // The node that ended the run stored the tool's URL for replays, which must return the same bytes.
  return response === undefined ? result : { ...result, toolUrl: response };
}

/** Stores `running` as the key's response, unless the run's end was stored just before. */
async function storeRunning(
  context: RunsContext,
  { run, result }: Omit<Wait, "waitMs">,
): Promise<boolean> {
  const { idempotency_id: recordId } = run;
  if (recordId === null) return true;
  return storeEarlyResponse(context.db, recordId, JSON.stringify(result));
}

type LongPoll = {
  waitMs: number;
  signal: AbortSignal;
  /** A question that the caller knows already. */
  seenQuestionId?: string;
};

/**
 * Returns a run once it has ended on any node or asks a question, or in its current state after the wait. Returns immediately
 * if too many requests already wait. Throws `run_not_found`.
 */
export async function longPoll(
  context: RunsContext,
  caller: Caller,
  runId: string,
  { waitMs, signal, seenQuestionId }: LongPoll,
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
        const isAsked = run.question !== undefined && run.question.id !== seenQuestionId;
        if (run.status !== "running" || isAsked || isOver) return run;
        await within(waiter.news, leftMs, signal);
      } finally {
        waiter.cancel();
      }
    }
  } finally {
    stopWaiting?.();
  }
}

/** Notifies waiters of this process about what happened on other nodes, in case the message was lost. */
export async function notifyWaiters({ db, runs }: RunsContext): Promise<void> {
  const runIds = runs.completions.runIds();
  if (runIds.length === 0) return;
  for (const { id, status } of await findNews(db, runIds)) {
    runs.completions.notify(id, status === "running" ? "asked" : "ended");
  }
}
