import { Link } from "@tanstack/react-router";
import type { RunStatus, ToolActivity } from "@toolhost/contract";
import type { ReactNode } from "react";
import { classes } from "#lib/class-names";
import { useNow } from "#lib/use-now";
import { formatDuration, formatRelativeTime } from "#lib/format";
import { messages as allMessages } from "./messages-run.ts";

const messages = allMessages.history;

type RunEntry = ToolActivity["runs"][number];

// The height also encodes the status, for people who cannot tell the colors apart.
const statusStyles: Record<RunStatus, string> = {
  completed: "h-4 bg-good",
  failed: "h-2 bg-bad",
  cancelled: "h-1 bg-edge",
  running: "h-4 border border-strong bg-strong-soft",
};

/** The latest runs of a tool as bars, the newest at the right. Links to all of its runs. */
export function RunHistory({
  toolName,
  runs,
}: {
  toolName: string;
  runs: readonly RunEntry[];
}): ReactNode {
  const now = useNow();
  if (runs.length === 0) return null;
  return (
    <Link
      to="/runs"
      search={{ toolName }}
      aria-label={summaryOf(runs, now)}
      className="inline-flex h-7 items-end gap-0.75 rounded-md px-1.5 py-1.5 hover:bg-raised"
    >
      {runs.toReversed().map((run) => (
        <span
          key={run.runId}
          aria-hidden
          title={describeRun(run, now)}
          className={classes("w-1.25 rounded-xs", statusStyles[run.status])}
        />
      ))}
    </Link>
  );
}

function describeRun({ status, startedAt, durationMs }: RunEntry, now: Date): string {
  const when = startedAt === null ? undefined : formatRelativeTime(new Date(startedAt), now);
  const time = durationMs === null ? undefined : formatDuration(durationMs);
  return [status, when, time].filter((part) => part !== undefined).join(", ");
}

/** Such as "Last 8 runs: 7 completed, 1 failed. Latest: completed, 3 minutes ago, 12 ms". */
function summaryOf(runs: readonly RunEntry[], now: Date): string {
  const [latest] = runs;
  if (latest === undefined) return "";
  if (runs.length === 1) return messages.lastRun(describeRun(latest, now));
  const counts = new Map<string, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  const all = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
  return messages.lastRuns(runs.length, all, describeRun(latest, now));
}
