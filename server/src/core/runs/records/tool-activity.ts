import type { RunStatus, ToolActivity } from "@toolhost/contract";
import { keepVisibleNames } from "#core/catalog";
import type { Caller } from "#core/kernel";
import { toTimestampOrNull } from "#lib/clock";
import type { RunsContext } from "../context.ts";
import { findRecentRuns, findRecentToolNames } from "./tool-activity-store.ts";

const maxTools = 50;
const maxRuns = 8;

/**
 * The most recent runs of tools that the caller may see: of the named tools, or else of those that ran recently. The tool that ran
 * last comes first. Runs of drafts are left out, and other users' runs from when a tool was private.
 */
export async function getToolActivity(
  { db }: RunsContext,
  caller: Caller,
  toolNames: readonly string[] | undefined,
): Promise<ToolActivity[]> {
  const candidates = toolNames ?? (await findRecentToolNames(db, caller));
  const names = await keepVisibleNames(db, caller, candidates);
  const rows = await findRecentRuns(db, caller, {
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
