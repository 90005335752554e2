import type { LogLine, Progress, Question, Run } from "@toolhost/contract";
import { findHiddenRuns, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { reserveStream } from "#core/limits";
import { releaseWhenDone } from "#lib/release-when-done";
import type { ActiveRun } from "../active-runs.ts";
import type { RunsContext } from "../context.ts";
import { findRunRow, getRun } from "../records/get-run.ts";
import { findLogs } from "./log-store.ts";
import { createLogReader, isAfter, toLogLine } from "./run-log.ts";
import type { LogPosition } from "./run-log.ts";

/** An event of a run: a log line, progress, a question or that it is closed, its end, or that nothing happened for a while. */
export type RunEvent =
  | { kind: "log"; position: LogPosition; line: LogLine }
  | { kind: "progress"; progress: Progress }
  | { kind: "question"; question: Question | null }
  | { kind: "end"; run: Run }
  | { kind: "idle" };

type Options = {
  /** The last log line that the client has, to continue after it. */
  after: LogPosition | undefined;
  signal: AbortSignal;
  /** Called now and then, since a stream may outlive the key that opened it. */
  isStillAllowed: () => Promise<boolean>;
};

/** How often a run on another node is polled: less often for progress than for logs. */
const pollIntervalMs = { log: 500, progress: 1_000 };
const idleMs = 10_000;

/**
 * Streams the events of a run on any node until its end: its log after the given position, and its progress.
 * Ends early, without `end`, when the service stops or the caller loses access; the client may then reconnect. Throws
 * `run_not_found`, and `rate_limited` when too many streams are open.
 */
export async function watchRun(
  context: RunsContext,
  caller: Caller,
  runId: string,
  options: Options,
): Promise<AsyncGenerator<RunEvent>> {
  const isVisible = await watchVisibility(context, caller, runId);
  const release = reserveStream(context, caller);
  return releaseWhenDone(streamRun(context, caller, runId, { ...options, isVisible }), release);
}

async function* streamRun(
  context: RunsContext,
  caller: Caller,
  runId: string,
  { after, signal, isStillAllowed, isVisible }: Options & { isVisible: () => Promise<boolean> },
): AsyncGenerator<RunEvent> {
  const poll = createPoll(context, caller, runId);
  let seen = after;
  let shown = "null";
  let asked: string | undefined;
  let lastEvent = performance.now();
  let lastCheck = performance.now();
  while (!signal.aborted && !context.cluster.isStopping) {
    const found = await undefinedIfHidden(() => poll(seen));
    if (found === undefined) return;
    const { lines, progress, question, ended } = found;
    const text = JSON.stringify(progress);
    const isNew = lines.length > 0 || text !== shown || question?.id !== asked;
    // What this process has in memory was not filtered by the database.
    if (isNew && !(await isVisible())) return;
    for (const { position, line } of lines) {
      yield { kind: "log", position, line };
      seen = position;
    }
    if (progress !== null && text !== shown) yield { kind: "progress", progress };
    if (question?.id !== asked) yield { kind: "question", question: question ?? null };
    asked = question?.id;
    if (ended !== undefined) {
      yield { kind: "end", run: ended };
      return;
    }
    if (isNew) lastEvent = performance.now();
    shown = text;
    if (performance.now() - lastCheck > idleMs) {
      lastCheck = performance.now();
      if (!(await isStillAllowed()) || !(await isVisible())) return;
    }
    if (performance.now() - lastEvent > idleMs) {
      lastEvent = performance.now();
      yield { kind: "idle" };
    }
    await nextChange(context.runs.activeRuns.get(runId), signal, pollIntervalMs.log);
  }
}

/** Undefined for a run that the caller may no longer see. */
async function undefinedIfHidden<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "run_not_found") return undefined;
    throw error;
  }
}

type Found = {
  lines: PositionedLine[];
  progress: Progress | null;
  question: Question | undefined;
  ended: Run | undefined;
};

/**
 * Reads new events: from memory while the run executes in this process, else from the database. The first read is
 * always from the database, for earlier lines.
 */
function createPoll(context: RunsContext, caller: Caller, runId: string) {
  const reader = createLogReader();
  let isFirst = true;
  return async (seen: LogPosition | undefined): Promise<Found> => {
    const active = context.runs.activeRuns.get(runId);
    if (!isFirst && active !== undefined) {
      const lines = newLines([], active, seen);
      const { progress = null, questions } = active;
      return { lines, progress, question: questions.open, ended: undefined };
    }
    isFirst = false;
    // The status is read before the log, so that no line is missed at the end.
    const run = await getRun(context, caller, runId);
    const stored = await reader.read(await findLogs(context.db, runId, reader.nextChunk()));
    const ended = run.status === "running" ? undefined : run;
    const lines = newLines(stored, context.runs.activeRuns.get(runId), seen);
    return { lines, progress: run.progress, question: run.question, ended };
  };
}

type PositionedLine = { position: LogPosition; line: LogLine };

/** The stored lines that the client does not have, then those that are not stored yet. */
function newLines(
  stored: readonly PositionedLine[],
  active: ActiveRun | undefined,
  seen: LogPosition | undefined,
): PositionedLine[] {
  const fresh = stored.filter(({ position }) => isAfter(position, seen));
  if (active === undefined) return fresh;
  const last = fresh.at(-1)?.position ?? seen;
  const from = last?.attempt === active.attempt ? last.number : 0;
  const live = active.lines.slice(from).map((entry, index) => ({
    position: { attempt: active.attempt, number: from + index + 1 },
    line: toLogLine(entry),
  }));
  return [...fresh, ...live];
}

/**
 * Calls `onProgress` as the progress of a run on any node changes, until the signal aborts or the caller may not
 * see the run. Never rejects: failures are reported to the caller that waits for the run's end.
 */
export async function followProgress(
  context: RunsContext,
  caller: Caller,
  runId: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<void> {
  const isVisible = pollVisibility(context, caller, runId);
  let shown: string | undefined;
  while (!signal.aborted && !context.cluster.isStopping) {
    const active = context.runs.activeRuns.get(runId);
    const progress =
      active === undefined ? await findProgress(context, caller, runId) : (active.progress ?? null);
    if (progress === undefined) return;
    const text = JSON.stringify(progress);
    if (progress !== null && text !== shown) {
      // This process has the progress of runs in memory that the caller may not see.
      const mayShow = await isVisible();
      if (mayShow === false || signal.aborted) return;
      if (mayShow === true) {
        onProgress(progress);
        shown = text;
      }
    }
    await nextChange(context.runs.activeRuns.get(runId), signal, pollIntervalMs.progress);
  }
}

/** Whether the caller may see the run now; undefined while the database is unavailable. */
function pollVisibility(context: RunsContext, caller: Caller, runId: string) {
  let isVisible: (() => Promise<boolean>) | undefined;
  return async (): Promise<boolean | undefined> => {
    try {
      isVisible ??= await watchVisibility(context, caller, runId);
      return await isVisible();
    } catch (error) {
      if (error instanceof ServiceError && error.code === "run_not_found") return false;
      context.log.debug({ err: error, runId }, "could not check who may see a run");
      return undefined;
    }
  };
}

async function findProgress(
  context: RunsContext,
  caller: Caller,
  runId: string,
): Promise<Progress | null | undefined> {
  try {
    return (await getRun(context, caller, runId)).progress;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "run_not_found") return undefined;
    context.log.debug({ err: error, runId }, "could not read a run's progress");
    return null;
  }
}

/**
 * Returns a function that checks whether the caller may still see a run that is read from memory, since its tool may
 * become private during the run. The user who ran it always may. Throws `run_not_found`.
 */
async function watchVisibility(
  context: RunsContext,
  caller: Caller,
  runId: string,
): Promise<() => Promise<boolean>> {
  const { user_id: userId } = await findRunRow(context, caller, runId);
  if (userId === caller.userId) return async () => true;
  return async () => (await findHiddenRuns(context.db, caller, [runId])).size === 0;
}

/** Resolves at the next event of a run of this process, after the timeout, or when the signal aborts. */
async function nextChange(
  active: ActiveRun | undefined,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  const done = () => resolve();
  active?.watchers.add(done);
  signal.addEventListener("abort", done, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    active?.watchers.delete(done);
    signal.removeEventListener("abort", done);
  }
}
