import type { RunResult } from "@toolhost/contract";
import type { Context } from "#core/context";
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
  context: Context,
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
export async function waitForQueuedRun(context: Context, wait: Wait): Promise<RunResult> {
  if (wait.waitMs === 0) return wait.result;
  const waiting = context.endings.wait(wait.run.id);
  try {
    const hasEnded = await within(waiting.ended, wait.waitMs);
    if (hasEnded !== true && (await isFirstAnswer(context, wait))) return wait.result;
  } finally {
    waiting.forget();
  }
  // Word for word what a replay will say, whichever node wrote it.
  const answer =
    wait.recordId === null ? undefined : await findRunAnswer(context.db, wait.recordId);
  if (answer !== undefined) return JSON.parse(answer) as RunResult;
  const viewer = { workspaceId: wait.run.workspace_id };
  const row = await findRun(context.db, viewer, wait.run.id);
  return row === undefined ? wait.result : presentResult(row, context.config.baseUrl);
}

/** Keeps `running` as the key's answer, unless the run's end was kept in this very moment. */
async function isFirstAnswer(context: Context, { recordId, result }: Wait): Promise<boolean> {
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
