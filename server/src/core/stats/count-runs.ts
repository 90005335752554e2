import { acquireTaskLock } from "#core/kernel";
import type { RunsContext } from "#core/runs";
import { yieldToEventLoop } from "#lib/event-loop";
import { timeOfId } from "#lib/ids";
import { readRunGroups } from "./run-groups-store.ts";
import {
  findCountedHours,
  findRunBefore,
  hasUnfinishedRuns,
  markEmpty,
  replaceHour,
} from "./stats-store.ts";
import { createHourTally, hourMs, hourOf } from "./tally.ts";
import { dayMs, replaceDay } from "./usage-store.ts";

/** The whole days that figures cover, besides the current one. */
const coveredDays = 30;
/** A run is written shortly after the time in its ID. */
const graceMs = 5 * 60_000;
/** How often an hour is counted again while some of its runs have not ended. */
const recountMs = 10 * 60_000;
/** Older hours are not counted again, because retention may have deleted some of their runs or figures. */
const maxRecountMs = 3 * dayMs;
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
  const newest = hourOf(now - graceMs) - hourMs;
  const oldest = Math.floor(newest / dayMs) * dayMs - coveredDays * dayMs;
  const counted = new Map(
    (await findCountedHours(db, { from: oldest })).map((row) => [row.hour, row] as const),
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
    if (unfinished === 0 || hour < now - maxRecountMs) continue;
    if (countedAt <= now - recountMs || !(await hasUnfinishedRuns(db, hour))) return hour;
  }
  return undefined;
}

async function countHour({ db }: RunsContext, hour: number, now: number): Promise<void> {
  const tally = createHourTally(hour);
  let unfinished = 0;
  for await (const groups of readRunGroups(db, { from: hour, to: hour + hourMs })) {
    for (const group of groups) {
      if (group.status === "running") unfinished += group.count;
      else tally.add(group);
    }
    await yieldToEventLoop();
  }
  const day = Math.floor(hour / dayMs) * dayMs;
  const others = await findCountedHours(db, { from: day, to: day + dayMs });
  const isComplete = new Set([hour, ...others.map((one) => one.hour)]).size === dayMs / hourMs;
  await db.transact([
    ...replaceHour(db, { hour, unfinished, counted_at: now }, tally),
    ...(isComplete ? replaceDay(db, day) : []),
  ]);
}
