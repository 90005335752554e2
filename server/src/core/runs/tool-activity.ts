import type { RunStatus, ToolActivity } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { keepVisibleNames } from "#core/catalog";
import { toTimestampOrNull } from "#lib/clock";
import { findLateRuns, findNamesOfLate } from "./activity-store.ts";

const maxTools = 50;
const maxRuns = 8;

/**
 * The latest runs of tools that the caller sees, of those named or else of those that ran lately; whichever ran last
 * comes first. Runs of drafts are not among them, nor others' runs from when a tool was private.
 */
export async function getToolActivity(
  { db }: RunsContext,
  caller: Caller,
  wanted: readonly string[] | undefined,
): Promise<ToolActivity[]> {
  const asked = wanted ?? (await findNamesOfLate(db, caller));
  const names = await keepVisibleNames(db, caller, asked);
  const rows = await findLateRuns(db, caller, {
    names: names.slice(0, maxTools),
    limit: maxRuns,
  });
  const newest = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return [...Map.groupBy(newest, ({ tool_name }) => tool_name)].map(([toolName, runs]) => ({
    toolName,
    runs: runs.map((run) => ({
      runId: run.id,
      status: run.status as RunStatus,
      startedAt: toTimestampOrNull(run.started_at),
      durationMs: run.duration_ms,
    })),
  }));
}
