import type { Context } from "#core/context";
import { findLongestQueues } from "#core/runs";
import type { Ranked } from "#telemetry";
import type { Instruments } from "./instruments.ts";

/**
 * Adds metrics by workspace and by tool, for the busiest ones only, so that their number stays bounded. None by default,
 * because the readers of metrics learn the names of tools.
 */
export function addTopMetrics(context: Context, { family }: Instruments): void {
  const count = context.config.METRICS_TOP_N;
  if (count === 0) return;
  const { meter } = context;
  family(
    "counter",
    {
      name: "workspace_runs_total",
      help: "Runs that ended in this process, of the workspaces with the most runs or failures.",
      labelNames: ["workspace", "outcome"],
    },
    () => meter.topWorkspaces(count).flatMap(toSamples),
  );
  family(
    "counter",
    {
      name: "tool_runs_total",
      help: "Runs that ended in this process, of the tools with the most runs or failures.",
      labelNames: ["workspace", "tool", "outcome"],
    },
    () => meter.topTools(count).flatMap(toSamples),
  );
  family(
    "gauge",
    {
      name: "workspace_runs_queued",
      help: "Queued runs of the workspaces with the most, on all nodes.",
      labelNames: ["workspace"],
    },
    async () =>
      (await findLongestQueues(context, count)).map(({ workspaceId, queued }) => ({
        labels: { workspace: workspaceId },
        value: queued,
      })),
  );
}

function toSamples({ labels, ends }: Ranked<Record<string, string>>) {
  return Object.entries(ends).map(([outcome, value]) => ({
    labels: { ...labels, outcome },
    value,
  }));
}
