import type { RunViewer } from "#core/kernel";
import type { RunsContext } from "#core/runs";
import type { RunStatsTable } from "#db";
import { yieldToEventLoop } from "#lib/event-loop";
import { unpackDurations } from "./durations.ts";
import { readRunGroups } from "./run-groups-store.ts";
import { findCountedHours, findStats, hasRuns } from "./stats-store.ts";
import type { StatsRange } from "./stats-store.ts";
import { createHourTally, hourMs, hourOf } from "./tally.ts";
import { dayMs, findUsage } from "./usage-store.ts";
import type { UsageSum } from "./usage-store.ts";

/** Hours that are over are counted within minutes; if that is late, older ones are left out instead of read run by run. */
const maxLiveHours = 2;

/** Figures with whether the viewer may see them, or only sums that contain them. */
export type VisibleStats = Omit<RunStatsTable, "durations"> & {
  durations: [number, number][];
  is_visible: number;
};

/** Receives figures. */
export type StatsReader = {
  addStats(stats: VisibleStats): void;
  /** If it is missing, usage is not read. */
  addUsage?(usage: UsageSum): void;
};

/**
 * Reads the figures of all ended runs that were created in a time: those of each counted hour, and the runs themselves since the last
 * one, and in the first hour if the time starts within it. Returns since when the figures are complete.
 */
export async function readStats(
  { db, clock }: RunsContext,
  viewer: RunViewer,
  range: StatsRange,
  reader: StatsReader,
): Promise<number> {
  const { from } = range;
  const hours = (await findCountedHours(db, { from: hourOf(from) })).map(({ hour }) => hour);
  const earliestLive = hourOf(clock.now()) - (maxLiveHours - 1) * hourMs;
  const liveFrom = Math.max((hours.at(-1) ?? -Infinity) + hourMs, earliestLive);
  const firstHour = hourOf(from + hourMs - 1);
  const readLive = async (start: number, to: number) => {
    for (let at = start; at < to; at = hourOf(at) + hourMs) {
      const part = { ...range, from: at, to: Math.min(hourOf(at) + hourMs, to) };
      await readHour(db, viewer, part, reader);
    }
  };
  await readLive(from, Math.min(firstHour, range.to));
  for (let start = firstHour; start < liveFrom; start = nextDay(start)) {
    const slice = { ...range, from: start, to: Math.min(nextDay(start), liveFrom) };
    await readSlice(db, viewer, slice, reader);
  }
  await readLive(Math.max(liveFrom, firstHour), range.to);
  const since = completeSince(new Set(hours), { firstHour, liveFrom });
  return since > from && (await hasRuns(db, viewer, { from, to: since })) ? since : from;
}

function nextDay(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs + dayMs;
}

/** The start of the hours without a gap up to the present. */
function completeSince(
  hours: ReadonlySet<number>,
  { firstHour, liveFrom }: { firstHour: number; liveFrom: number },
): number {
  let since = liveFrom;
  while (since > firstHour && hours.has(since - hourMs)) since -= hourMs;
  return since;
}

async function readSlice(
  db: RunsContext["db"],
  viewer: RunViewer,
  slice: StatsRange,
  reader: StatsReader,
): Promise<void> {
  for (const { durations, ...stats } of await findStats(db, viewer, slice)) {
    reader.addStats({ ...stats, durations: unpackDurations(durations) });
  }
  await yieldToEventLoop();
  if (reader.addUsage === undefined) return;
  for (const usage of await findUsage(db, viewer, slice)) reader.addUsage(usage);
  await yieldToEventLoop();
}

/** Reads the runs of one hour, or of a part of it. */
async function readHour(
  db: RunsContext["db"],
  viewer: RunViewer,
  { from, to, isAll, toolName }: StatsRange,
  reader: StatsReader,
): Promise<void> {
  const tallies = [createHourTally(hourOf(from)), createHourTally(hourOf(from))] as const;
  for await (const groups of readRunGroups(db, { viewer, from, to })) {
    for (const group of groups) {
      if (group.status === "running") continue;
      if (toolName !== undefined && group.tool_name !== toolName) continue;
      if (group.is_visible === 1) tallies[1].add(group);
      else if (isAll) tallies[0].add(group);
    }
    await yieldToEventLoop();
  }
  for (const [is_visible, tally] of tallies.entries()) {
    for (const { durations, ...stats } of tally.stats()) {
      reader.addStats({ ...stats, durations: unpackDurations(durations), is_visible });
    }
    for (const usage of tally.usage()) reader.addUsage?.({ ...usage, is_visible });
  }
}
