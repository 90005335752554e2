import type { RunStats } from "@toolhost/contract";
import { formatTime } from "@toolhost/ui/time";
import type { ReactNode } from "react";
import { Chart } from "#components/chart/chart";
import { formatDuration } from "#lib/format";
import { messages } from "./messages.ts";

const { runs, durations } = messages;

const runSeries = [
  { id: "completed", label: runs.completed, color: "var(--good)" },
  { id: "failed", label: runs.failed, color: "var(--bad)" },
  { id: "cancelled", label: runs.cancelled, color: "var(--edge)" },
];
const durationSeries = [
  { id: "p50Ms", label: durations.median, color: "var(--strong)" },
  { id: "p95Ms", label: durations.slow, color: "var(--warn)", dashes: "5 4" },
];

/** The start of an hour in the user's time zone, or a day in UTC. */
function labelOf(start: string, interval: RunStats["interval"]): string {
  return interval === "day" ? formatTime(start, "day", "UTC") : formatTime(start, "dateAndMinute");
}

/** The hour, or the day where the axis has one label a day. */
function tickOf(start: string, { series, interval }: RunStats): string {
  if (interval === "hour" && series.length <= hoursOfDay) return formatTime(start, "minute");
  return formatTime(start, "day", interval === "day" ? "UTC" : undefined);
}

const hoursOfDay = 24;

function pointsOf(stats: RunStats) {
  const { series, interval } = stats;
  return series.map(({ start, ...values }) => ({
    key: start,
    label: labelOf(start, interval),
    tick: tickOf(start, stats),
    values,
  }));
}

const columnOf = ({ interval }: RunStats) => (interval === "day" ? runs.perDay : runs.perHour);

const shown = (ms: number | null) => (ms === null ? messages.tiles.none : formatDuration(ms));

/** How many runs ended how, by hour or day. */
export function RunChart({ stats }: { stats: RunStats }): ReactNode {
  const { completed, failed, cancelled } = stats.totals;
  return (
    <Chart
      title={runs.title}
      summary={runs.summary(completed, failed, cancelled)}
      kind="bars"
      points={pointsOf(stats)}
      series={runSeries}
      format={(value) => value.toLocaleString("en")}
      firstColumn={columnOf(stats)}
    />
  );
}

/** How long runs took, by hour or day. */
export function DurationChart({ stats }: { stats: RunStats }): ReactNode {
  const { p50Ms, p95Ms } = stats.totals;
  return (
    <Chart
      title={durations.title}
      summary={durations.summary(shown(p50Ms), shown(p95Ms))}
      kind="lines"
      points={pointsOf(stats)}
      series={durationSeries}
      format={formatDuration}
      firstColumn={columnOf(stats)}
    />
  );
}
