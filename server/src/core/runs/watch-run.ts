import type { LogLine, Progress, Run } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { holdStream } from "#core/limits";
import { heldWhileRead } from "#lib/held-stream";
import type { ActiveRun } from "./active-runs.ts";
import { getRun } from "./get-run.ts";
import { nextChange } from "./next-change.ts";
import { createLogReader, isAfter, toLogLine } from "./run-log.ts";
import type { LinePlace } from "./run-log.ts";
import { findLogs } from "./run-store.ts";
import { watchVisibility } from "./watch-visibility.ts";

/** News of a run: a line of its log with its place, its progress, its end, or that there was none for a while. */
export type RunNews =
  | { kind: "log"; place: LinePlace; line: LogLine }
  | { kind: "progress"; progress: Progress }
  | { kind: "end"; run: Run }
  | { kind: "quiet" };

type Options = {
  /** The last line that was seen, to go on after it. */
  after: LinePlace | undefined;
  signal: AbortSignal;
  /** Asked now and then, since a stream may outlive the key that opened it. */
  isStillAllowed: () => Promise<boolean>;
};

/** How often a run on another node is looked at. */
const lookIntervalMs = 500;
const quietMs = 10_000;

/**
 * Follows a run, on whatever node, until its end: all of its log from the place given, and its progress as it
 * changes. Ends early, without `end`, when the service stops or the caller is no longer allowed; then the
 * follower may go on elsewhere. Throws `run_not_found`, and `rate_limited` when too many streams are open.
 */
export async function watchRun(
  context: RunsContext,
  caller: Caller,
  runId: string,
  options: Options,
): Promise<AsyncGenerator<RunNews>> {
  const isVisible = await watchVisibility(context, caller, runId);
  const release = holdStream(context, caller);
  return heldWhileRead(follow(context, caller, runId, { ...options, isVisible }), release);
}

async function* follow(
  context: RunsContext,
  caller: Caller,
  runId: string,
  { after, signal, isStillAllowed, isVisible }: Options & { isVisible: () => Promise<boolean> },
): AsyncGenerator<RunNews> {
  const look = createLook(context, caller, runId);
  let seen = after;
  let shown = "null";
  let lastNews = performance.now();
  let lastCheck = performance.now();
  while (!signal.aborted && !context.cluster.isStopping) {
    const looked = await lookUnlessHidden(() => look(seen));
    if (looked === undefined) return;
    const { lines, progress, ended } = looked;
    const text = JSON.stringify(progress);
    const isNews = lines.length > 0 || text !== shown;
    // What this process has in memory was not asked of the database.
    if (isNews && !(await isVisible())) return;
    for (const { place, line } of lines) {
      yield { kind: "log", place, line };
      seen = place;
    }
    if (progress !== null && text !== shown) yield { kind: "progress", progress };
    if (ended !== undefined) {
      yield { kind: "end", run: ended };
      return;
    }
    if (isNews) lastNews = performance.now();
    shown = text;
    if (performance.now() - lastCheck > quietMs) {
      lastCheck = performance.now();
      if (!(await isStillAllowed()) || !(await isVisible())) return;
    }
    if (performance.now() - lastNews > quietMs) {
      lastNews = performance.now();
      yield { kind: "quiet" };
    }
    await nextChange(context.runs.activeRuns.get(runId), signal, lookIntervalMs);
  }
}

/** Undefined for a run that the caller may no longer see. */
async function lookUnlessHidden(look: () => Promise<Seen>): Promise<Seen | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "run_not_found") return undefined;
    throw error;
  }
}

type Seen = { lines: Placed[]; progress: Progress | null; ended: Run | undefined };

/**
 * Looks for what is new: in this process while the run works here, else in the database. The first look is
 * always into the database, for what was before.
 */
function createLook(context: RunsContext, caller: Caller, runId: string) {
  const reader = createLogReader();
  let isFirst = true;
  return async (seen: LinePlace | undefined): Promise<Seen> => {
    const active = context.runs.activeRuns.get(runId);
    if (!isFirst && active !== undefined) {
      const lines = newLines([], active, seen);
      return { lines, progress: active.progress ?? null, ended: undefined };
    }
    isFirst = false;
    // The state is read before the log, so that at the end no line is missed.
    const run = await getRun(context, caller, runId);
    const stored = await reader.read(await findLogs(context.db, runId, reader.nextChunk()));
    const ended = run.status === "running" ? undefined : run;
    const lines = newLines(stored, context.runs.activeRuns.get(runId), seen);
    return { lines, progress: run.progress, ended };
  };
}

type Placed = { place: LinePlace; line: LogLine };

/** The stored lines that were not seen yet, then those that this process has and the database not yet. */
function newLines(
  stored: readonly Placed[],
  active: ActiveRun | undefined,
  seen: LinePlace | undefined,
): Placed[] {
  const fresh = stored.filter(({ place }) => isAfter(place, seen));
  if (active === undefined) return fresh;
  const last = fresh.at(-1)?.place ?? seen;
  const from = last?.attempt === active.attempt ? last.number : 0;
  const live = active.lines.slice(from).map((entry, index) => ({
    place: { attempt: active.attempt, number: from + index + 1 },
    line: toLogLine(entry),
  }));
  return [...fresh, ...live];
}
