import type { Actor } from "#core/kernel";
import type { RunStatsTable, RunUsageTable } from "#db";
import { addDurations, packDurations } from "./durations.ts";
import type { Durations } from "./durations.ts";
import type { RunGroup } from "./run-groups-store.ts";

/** Sums of ended runs. */
export type Tally = { completed: number; failed: number; cancelled: number; durations: Durations };

export function emptyTally(): Tally {
  return { completed: 0, failed: 0, cancelled: 0, durations: new Map() };
}

export function addToTally(
  tally: Tally,
  more: Omit<Tally, "durations"> & { durations: Iterable<readonly [number, number]> },
): void {
  tally.completed += more.completed;
  tally.failed += more.failed;
  tally.cancelled += more.cancelled;
  addDurations(tally.durations, more.durations);
}

/** Sums by what figures are stored by. */
export type HourTally = {
  add(group: RunGroup): void;
  stats(): RunStatsTable[];
  usage(): RunUsageTable[];
};

/** Adds up the ended runs of an hour. */
export function createHourTally(hour: number): HourTally {
  const stats = new Map<string, { subject: Omit<RunStatsTable, keyof Tally>; tally: Tally }>();
  const usage = new Map<string, RunUsageTable>();
  return {
    add(group) {
      const { workspace_id, tool_id, tool_name, user_id, status, count } = group;
      const private_to = group.is_private === 1 ? user_id : "";
      const subject = { workspace_id, hour, tool_id, tool_name, private_to };
      const key = [workspace_id, tool_id, private_to].join("\n");
      const entry = stats.get(key) ?? { subject, tally: emptyTally() };
      stats.set(key, entry);
      addToTally(entry.tally, countsOf(group));
      const client = clientOf(group.via, group.actor);
      const useKey = [key, user_id, client].join("\n");
      const use = usage.get(useKey) ?? { ...subject, user_id, client, runs: 0, failed: 0 };
      usage.set(useKey, use);
      use.runs += count;
      use.failed += status === "failed" ? count : 0;
    },
    stats: () =>
      [...stats.values()].map(({ subject, tally: { durations, ...counts } }) => ({
        ...subject,
        ...counts,
        durations: packDurations(durations),
      })),
    usage: () => [...usage.values()],
  };
}

/** The figures of a group of runs, all of which have ended. */
function countsOf({ status, count, bucket }: RunGroup): Tally {
  const counts = emptyTally();
  if (status === "completed" || status === "failed" || status === "cancelled") {
    counts[status] = count;
  }
  if (bucket !== null) addDurations(counts.durations, [[bucket, count]]);
  return counts;
}

/** What started a run: an API key, a connected app, or an interface. */
function clientOf(via: string, actor: string): string {
  const { apiKeyId, grantId } = JSON.parse(actor) as Actor;
  if (apiKeyId !== undefined) return `key:${apiKeyId}`;
  return grantId === undefined ? via : `app:${grantId}`;
}

export const hourMs = 3_600_000;

export function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs;
}
