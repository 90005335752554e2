import type { StatsContext } from "./context.ts";
import { readStats } from "./read-stats.ts";
import { hourMs, hourOf } from "./tally.ts";

/** How many runs of each tool completed and failed, by the name of the tool. */
export type RunCountsByTool = ReadonlyMap<string, { completed: number; failed: number }>;

/**
 * Counts the runs of a workspace that were created since a time and that all its members see. Undefined while older hours are still
 * being counted.
 */
export async function countRunsByTool(
  context: StatsContext,
  workspaceId: string,
  since: number,
): Promise<RunCountsByTool | undefined> {
  const counts = new Map<string, { completed: number; failed: number }>();
  const range = {
    from: since,
    to: hourOf(context.clock.now()) + hourMs,
    isAll: false,
    toolName: undefined,
  };
  const completeSince = await readStats(context, { workspaceId, userId: "" }, range, {
    addStats: ({ tool_name: toolName, private_to: privateTo, completed, failed }) => {
      if (privateTo !== "") return;
      const sum = counts.get(toolName) ?? { completed: 0, failed: 0 };
      counts.set(toolName, sum);
      sum.completed += completed;
      sum.failed += failed;
    },
  });
  return completeSince > since ? undefined : counts;
}
