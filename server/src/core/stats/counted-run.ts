import type { Actor } from "#core/kernel";
import type { RunStatsTable } from "#db";
import { addDurations } from "./durations.ts";
import type { Durations } from "./durations.ts";

/** What the figures of runs are counted by. */
type Subject = Pick<RunStatsTable, "tool_id" | "tool_name" | "user_id" | "client" | "is_private">;

/** The ended runs of one subject in one hour. */
export type CountedRuns = Subject & {
  workspace_id: string;
  hour: number;
  completed: number;
  failed: number;
  cancelled: number;
  durations: Iterable<readonly [number, number]>;
};

/** Sums of runs. */
export type Tally = { completed: number; failed: number; cancelled: number; durations: Durations };

export function emptyTally(): Tally {
  return { completed: 0, failed: 0, cancelled: 0, durations: new Map() };
}

export function addToTally(
  tally: Tally,
  runs: Omit<CountedRuns, keyof Subject | "workspace_id" | "hour">,
): void {
  tally.completed += runs.completed;
  tally.failed += runs.failed;
  tally.cancelled += runs.cancelled;
  addDurations(tally.durations, runs.durations);
}

/** What started a run: an API key, a connected app, or an interface. */
export function clientOf(via: string, actor: string): string {
  const { apiKeyId, grantId } = JSON.parse(actor) as Actor;
  if (apiKeyId !== undefined) return `key:${apiKeyId}`;
  return grantId === undefined ? via : `app:${grantId}`;
}

export const hourMs = 3_600_000;

export function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs;
}
