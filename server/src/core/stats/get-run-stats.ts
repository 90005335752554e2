import type { RunCounts, RunStats, RunStatsRange } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { toTimestamp } from "#lib/clock";
import { inTurn } from "./context.ts";
import type { StatsContext } from "./context.ts";
import { percentile } from "./durations.ts";
import { presentTools } from "./present-tools.ts";
import type { ToolTally } from "./present-tools.ts";
import { presentUsage } from "./present-usage.ts";
import type { UsageTally } from "./present-usage.ts";
import { readStats } from "./read-stats.ts";
import type { VisibleStats } from "./read-stats.ts";
import { addToTally, emptyTally, hourMs, hourOf } from "./tally.ts";
import type { Tally } from "./tally.ts";
import { dayMs } from "./usage-store.ts";
import type { UsageSum } from "./usage-store.ts";

/** The ranges, in whole hours or days up to the current one. */
const ranges: Record<RunStatsRange, { count: number; stepMs: number }> = {
  "24h": { count: 24, stepMs: hourMs },
  "7d": { count: 7 * 24, stepMs: hourMs },
  "30d": { count: 30, stepMs: dayMs },
};

type Sums = {
  totals: Tally;
  series: Tally[];
  tools: Map<string, ToolTally>;
  usage: Map<string, UsageTally>;
};

/**
 * Figures of the runs that the caller may see, without drafts. With the scope `audit:read`, sums contain all runs of the workspace;
 * tools that the caller may not see have no name in them.
 */
export function getRunStats(
  context: StatsContext,
  caller: Caller,
  { range, toolName }: { range: RunStatsRange; toolName?: string | undefined },
): Promise<RunStats> {
  return inTurn(context, caller.workspaceId, async () => {
    const { count, stepMs } = ranges[range];
    const now = context.clock.now();
    const from = Math.floor(now / stepMs) * stepMs - (count - 1) * stepMs;
    const sums: Sums = {
      totals: emptyTally(),
      series: Array.from({ length: count }, emptyTally),
      tools: new Map(),
      usage: new Map(),
    };
    const isAll = caller.scopes.has("audit:read") && toolName === undefined;
    const span = { from, to: hourOf(now) + hourMs, isAll, toolName };
    const since = await readStats(context, caller, span, {
      addStats: (stats) => addStats(sums, Math.floor((stats.hour - from) / stepMs), stats),
      addUsage: (usage) => addUsage(sums, usage),
    });
    return {
      from: toTimestamp(from),
      to: toTimestamp(now),
      interval: stepMs === dayMs ? "day" : "hour",
      completeSince: since > from ? toTimestamp(since) : null,
      totals: presentCounts(sums.totals),
      series: sums.series.map((tally, index) => ({
        start: toTimestamp(from + index * stepMs),
        ...presentCounts(tally),
      })),
      ...(await presentTools(context, caller, from, [...sums.tools.values()])),
      usage: await presentUsage(context, caller, [...sums.usage.values()], sums.tools),
    };
  });
}

function addStats({ totals, series, tools }: Sums, index: number, stats: VisibleStats): void {
  addToTally(totals, stats);
  const step = series[index];
  if (step !== undefined) addToTally(step, stats);
  if (stats.is_visible === 0) return;
  const { tool_id: toolId, tool_name: toolName } = stats;
  const tool = tools.get(toolName) ?? { toolId, toolName, tally: emptyTally() };
  tools.set(toolName, tool);
  addToTally(tool.tally, stats);
}

function addUsage({ usage }: Sums, { user_id: userId, client, ...sum }: UsageSum): void {
  const toolName = sum.is_visible === 1 ? sum.tool_name : null;
  const key = [userId, client, toolName].join("\n");
  const use = usage.get(key) ?? { userId, client, toolName, runs: 0, failed: 0 };
  usage.set(key, use);
  use.runs += sum.runs;
  use.failed += sum.failed;
}

function presentCounts({ completed, failed, cancelled, durations }: Tally): RunCounts {
  const p50Ms = percentile(durations, 0.5);
  return { completed, failed, cancelled, p50Ms, p95Ms: percentile(durations, 0.95) };
}
