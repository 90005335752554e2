import { acquireTaskLock } from "#core/kernel";
import type { RunsContext } from "#core/runs";
import type { RunStatsTable } from "#db";
import { yieldToEventLoop } from "#lib/event-loop";
import { timeOfId } from "#lib/ids";
import { addDurations, packDurations } from "./durations.ts";
import { addToTally, clientOf, emptyTally, hourMs, hourOf } from "./counted-run.ts";
import type { Tally } from "./counted-run.ts";
import { readRunGroups } from "./run-groups-store.ts";
import type { RunGroup } from "./run-groups-store.ts";
import {
  findCountedHours,
  findRunBefore,
  hasUnfinishedRuns,
  markEmpty,
  replaceHour,
} from "./stats-store.ts";

/** The hours that figures cover. */
export const coveredHours = 31 * 24;
/** A run is written shortly after the time in its ID. */
const settleMs = 5 * 60_000;
/** How often an hour is counted again while some of its runs have not ended. */
const recountMs = 10 * 60_000;
const lockMs = 60_000;

/**
 * Counts the runs of each hour that is over, newest first, and again those of hours with runs that had not ended. The figures of an
 * hour are replaced in one transaction, so that a crash changes nothing. With several nodes one does it.
 */
export async function countRuns(context: RunsContext, signal: AbortSignal): Promise<void> {
  const { db, nodeId, clock } = context;
  const task = { name: "run stats", nodeId, lockMs };
  for (;;) {
    if (signal.aborted || !(await acquireTaskLock(db, task))) return;
    const now = clock.now();
    const hour = await findNextHour(context, now);
    if (hour === undefined) return;
    await countHour(context, hour, now);
    await yieldToEventLoop();
  }
}

async function findNextHour({ db }: RunsContext, now: number): Promise<number | undefined> {
  const newest = hourOf(now - settleMs) - hourMs;
  const oldest = newest - (coveredHours - 1) * hourMs;
  const counted = new Map(
    (await findCountedHours(db, oldest)).map((row) => [row.hour, row] as const),
  );
  const missing: number[] = [];
  for (let hour = newest; hour >= oldest; hour -= hourMs)
    if (!counted.has(hour)) missing.push(hour);
  const [first] = missing;
  if (first !== undefined) {
    const run = await findRunBefore(db, first + hourMs);
    const runHour = run === undefined ? -Infinity : hourOf(timeOfId(run));
    await markEmpty(
      db,
      missing.filter((hour) => hour > runHour),
      now,
    );
    const next = missing.find((hour) => hour <= runHour);
    if (next !== undefined) return next;
  }
  for (const { hour, unfinished, counted_at: countedAt } of counted.values()) {
    if (unfinished === 0) continue;
    if (countedAt <= now - recountMs || !(await hasUnfinishedRuns(db, hour))) return hour;
  }
  return undefined;
}

async function countHour({ db }: RunsContext, hour: number, now: number): Promise<void> {
  const tallies = new Map<string, { group: RunGroup; client: string; tally: Tally }>();
  let unfinished = 0;
  for await (const groups of readRunGroups(db, { from: hour, to: hour + hourMs })) {
    for (const group of groups) {
      if (group.status === "running") {
        unfinished += group.count;
        continue;
      }
      const client = clientOf(group.via, group.actor);
      const { workspace_id, tool_id, user_id, is_private } = group;
      const key = [workspace_id, tool_id, user_id, client, is_private].join("\n");
      const entry = tallies.get(key) ?? { group, client, tally: emptyTally() };
      addToTally(entry.tally, countsOf(group));
      tallies.set(key, entry);
    }
    await yieldToEventLoop();
  }
  const rows = [...tallies.values()].map(({ group, client, tally }): RunStatsTable => {
    const { workspace_id, tool_id, tool_name, user_id, is_private } = group;
    const { durations, ...counts } = tally;
    const subject = { workspace_id, hour, tool_id, tool_name, user_id, client, is_private };
    return { ...subject, ...counts, durations: packDurations(durations) };
  });
  await db.transact(replaceHour(db, { hour, unfinished, counted_at: now }, rows));
}

/** The figures of a group of runs, all of which have ended. */
export function countsOf({ status, count, bucket }: RunGroup): Tally {
  const counts = emptyTally();
  if (status === "completed" || status === "failed" || status === "cancelled") {
    counts[status] = count;
  }
  if (bucket !== null) addDurations(counts.durations, [[bucket, count]]);
  return counts;
}
