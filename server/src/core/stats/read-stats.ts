import type { RunViewer } from "#core/kernel";
import type { RunsContext } from "#core/runs";
import { yieldToEventLoop } from "#lib/event-loop";
import { countsOf } from "./count-runs.ts";
import { clientOf, hourMs, hourOf } from "./counted-run.ts";
import type { CountedRuns } from "./counted-run.ts";
import { unpackDurations } from "./durations.ts";
import { readRunGroups } from "./run-groups-store.ts";
import { findCountedHours, findStats, hasRuns } from "./stats-store.ts";
import type { StatsRange } from "./stats-store.ts";

const sliceMs = 24 * hourMs;
/** Hours that are over are counted within minutes; if that is late, older ones are left out instead of read run by run. */
const maxLiveHours = 2;

/** Runs with whether the viewer may see them, or only sums that contain them. */
export type VisibleRuns = CountedRuns & { isVisible: boolean };

/**
 * Calls `add` with all ended runs that were created in a time: from the figures of each hour, and from the runs themselves since
 * the last hour that has some, and in the first one if the time starts within it. Returns since when the figures are complete.
 */
export async function readStats(
  { db, clock }: RunsContext,
  viewer: RunViewer,
  range: StatsRange,
  add: (runs: VisibleRuns) => void,
): Promise<number> {
  const { from } = range;
  const currentHour = hourOf(clock.now());
  const hours = (await findCountedHours(db, hourOf(from))).map(({ hour }) => hour);
  const earliestLive = currentHour - (maxLiveHours - 1) * hourMs;
  const liveFrom = Math.max((hours.at(-1) ?? -Infinity) + hourMs, earliestLive);
  const firstHour = hourOf(from + hourMs - 1);
  const live = async (start: number, to: number) => {
    for (let at = start; at < to; at = hourOf(at) + hourMs) {
      await readLive(
        db,
        viewer,
        { ...range, from: at, to: Math.min(hourOf(at) + hourMs, to) },
        add,
      );
    }
  };
  await live(from, Math.min(firstHour, range.to));
  for (let start = firstHour; start < liveFrom; start += sliceMs) {
    const to = Math.min(start + sliceMs, liveFrom);
    for (const row of await findStats(db, viewer, { ...range, from: start, to })) {
      const { is_visible: isVisible, durations, ...counts } = row;
      add({ ...counts, durations: unpackDurations(durations), isVisible: isVisible === 1 });
    }
    await yieldToEventLoop();
  }
  await live(Math.max(liveFrom, firstHour), range.to);
  const since = completeSince(new Set(hours), { firstHour, liveFrom });
  return since > from && (await hasRuns(db, viewer, { from, to: since })) ? since : from;
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

/** Reads the runs of one hour, or of a part of it. */
async function readLive(
  db: RunsContext["db"],
  viewer: RunViewer,
  { from, to, isAll, toolName }: StatsRange,
  add: (runs: VisibleRuns) => void,
): Promise<void> {
  const { workspaceId: workspace_id } = viewer;
  for await (const groups of readRunGroups(db, { viewer, from, to })) {
    for (const group of groups) {
      const isVisible = group.is_visible === 1;
      if (group.status === "running" || (!isVisible && !isAll)) continue;
      const { tool_id, tool_name, user_id, is_private, via, actor } = group;
      if (toolName !== undefined && tool_name !== toolName) continue;
      const client = clientOf(via, actor);
      const subject = { workspace_id, hour: hourOf(from), tool_id, tool_name, user_id, client };
      add({ ...subject, is_private, ...countsOf(group), isVisible });
    }
    await yieldToEventLoop();
  }
}
