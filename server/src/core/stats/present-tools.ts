import type { RunError, RunStats } from "@toolhost/contract";
import type { RunViewer } from "#core/kernel";
import { findRunTitles } from "#core/runs";
import { toTimestamp } from "#lib/clock";
import { timeOfId } from "#lib/ids";
import type { StatsContext } from "./context.ts";
import { percentile } from "./durations.ts";
import { findLastFailures } from "./subject-store.ts";
import type { Tally } from "./tally.ts";

/** The figures of one tool. */
export type ToolTally = { toolId: string; toolName: string; tally: Tally };

const maxTools = 10;

/** The tools with the most failed runs, with their last error, and the slowest ones. */
export async function presentTools(
  { db }: StatsContext,
  viewer: RunViewer,
  since: number,
  tools: readonly ToolTally[],
): Promise<Pick<RunStats, "failingTools" | "slowestTools">> {
  const failing = tools
    .filter(({ tally }) => tally.failed > 0)
    .toSorted((a, b) => b.tally.failed - a.tally.failed)
    .slice(0, maxTools);
  const slowest = tools
    .map((tool) => ({ ...tool, p95Ms: percentile(tool.tally.durations, 0.95) }))
    .filter(({ p95Ms }) => p95Ms !== null)
    .toSorted((a, b) => (b.p95Ms ?? 0) - (a.p95Ms ?? 0))
    .slice(0, maxTools);
  const shown = [...failing, ...slowest].map(({ toolId, toolName }) => ({
    id: toolId,
    tool_id: toolId,
    tool_name: toolName,
    draft_id: null,
  }));
  const titles = await findRunTitles(db, viewer, shown);
  const failures = await findLastFailures(db, viewer, {
    toolNames: failing.map(({ toolName }) => toolName),
    since,
  });
  const present = ({ toolId, toolName, tally }: ToolTally) => {
    const { durations, ...counts } = tally;
    return {
      toolName,
      title: titles.get(toolId) ?? null,
      ...counts,
      p50Ms: percentile(durations, 0.5),
      p95Ms: percentile(durations, 0.95),
    };
  };
  return {
    failingTools: failing.map((tool) => {
      const last = failures.get(tool.toolName);
      const lastFailure =
        last?.error == null
          ? null
          : { runId: last.id, at: toTimestamp(timeOfId(last.id)), error: withoutStack(last.error) };
      return { ...present(tool), lastFailure };
    }),
    slowestTools: slowest.map(present),
  };
}

function withoutStack(error: string): Omit<RunError, "stack"> {
  const { code, message } = JSON.parse(error) as RunError;
  return { code, message };
}
