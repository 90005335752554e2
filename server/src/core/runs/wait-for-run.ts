import type { RunResult } from "@toolhost/contract";
import type { RunsContext } from "./context.ts";
import { findRunAnswer, keepEarlyAnswer } from "./begin-store.ts";
import type { NewRun } from "./begin-store.ts";
import { findRun } from "./run-store.ts";
import { presentResult } from "./run.ts";
import type { RunOutcome } from "./run.ts";

type Wait = {
  run: NewRun;
  /** The run as it is before anything happened. */
  result: RunResult;
  waitMs: number;
  recordId: string | null;
};

/** The run's end if it comes within the wait, else that it is `running`. */
export async function waitForRun(
  context: RunsContext,
  wait: Wait,
  outcome: Promise<RunOutcome>,
): Promise<RunResult> {
  const inTime = await within(outcome, wait.waitMs);
  const isKept = wait.waitMs === 0;
  if (inTime === undefined && (isKept || (await isFirstAnswer(context, wait)))) return wait.result;
  const { baseUrl } = context.config;
  const ended = inTime ?? (await outcome);
  // Another node that held this one for dead may have put the run back into the queue.
  if (ended.status !== "running") return presentResult(ended, baseUrl);
  return waitForQueuedRun(context, wait);
}

/** The same for a run that waits in the queue and that any node may take. */
export async function waitForQueuedRun(context: RunsContext, wait: Wait): Promise<RunResult> {
  if (wait.waitMs === 0) return wait.result;
  const deadline = performance.now() + wait.waitMs;
  for (;;) {
    const waiter = context.runs.completions.wait(wait.run.id);
    const hasEnded = await within(waiter.ended, deadline - performance.now()).finally(() =>
      waiter.cancel(),
    );
    if (hasEnded !== true && (await isFirstAnswer(context, wait))) return wait.result;
    const answer = await findAnswer(context, wait);
    if (answer !== undefined) return answer;
    if (hasEnded !== true) return wait.result;
    // Told of an end that was none: this node's part of it is over, and another works on it now.
  }
}

/** What a replay will say, word for word: an answer that was given before the run's end, else that end, whichever node wrote it. */
async function findAnswer(
  context: RunsContext,
  { run, recordId }: Wait,
): Promise<RunResult | undefined> {
  const kept = recordId === null ? undefined : await findRunAnswer(context.db, recordId);
  const answer = kept === undefined ? undefined : (JSON.parse(kept) as RunResult | string);
  if (typeof answer === "object") return answer;
  const row = await findRun(context.db, { workspaceId: run.workspace_id }, run.id);
  if (row === undefined || row.status === "running") return undefined;
  const result = presentResult(row, context.config.baseUrl);
  // The node that ended the run stored the tool's address for replays, which have the bytes of this answer.
  return answer === undefined ? result : { ...result, toolUrl: answer };
}

/** Keeps `running` as the key's answer, unless the run's end was kept in this very moment. */
async function isFirstAnswer(context: RunsContext, { recordId, result }: Wait): Promise<boolean> {
  if (recordId === null) return true;
  return keepEarlyAnswer(context.db, recordId, JSON.stringify(result));
}

async function within<T>(promise: Promise<T>, waitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
