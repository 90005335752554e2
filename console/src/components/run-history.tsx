import { Link } from "@tanstack/react-router";
import type { RunStatus, ToolActivity } from "@toolhost/contract";
import type { ReactNode } from "react";
import { classes } from "#lib/class-names";
import { useNow } from "#lib/use-now";
import { formatDuration, formatRelativeTime } from "#lib/format";

type Mark = ToolActivity["runs"][number];

// The shape says it too, for those who do not tell the colors apart.
const looks: Record<RunStatus, string> = {
  completed: "h-4 bg-good",
  failed: "h-2 bg-bad",
  cancelled: "h-1 bg-edge",
  running: "h-4 border border-strong bg-strong-soft",
};

/** The last runs of a tool at a glance, the newest at the right; it leads to all of them. */
export function RunHistory({
  toolName,
  runs,
}: {
  toolName: string;
  runs: readonly Mark[];
}): ReactNode {
  const now = useNow();
  if (runs.length === 0) return null;
  return (
    <Link
      to="/runs"
      search={{ toolName }}
      aria-label={inWords(runs, now)}
      className="inline-flex h-7 items-end gap-0.75 rounded-md px-1.5 py-1.5 hover:bg-raised"
    >
      {runs.toReversed().map((run) => (
        <span
          key={run.runId}
          aria-hidden
          title={about(run, now)}
          className={classes("w-1.25 rounded-xs", looks[run.status])}
        />
      ))}
    </Link>
  );
}

function about({ status, startedAt, durationMs }: Mark, now: Date): string {
  const when = startedAt === null ? undefined : formatRelativeTime(new Date(startedAt), now);
  const time = durationMs === null ? undefined : formatDuration(durationMs);
  return [status, when, time].filter((part) => part !== undefined).join(", ");
}

/** "Last 8 runs: 7 completed, 1 failed. The last one completed 3 minutes ago." */
function inWords(runs: readonly Mark[], now: Date): string {
  const counts = new Map<string, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  const all = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
  const [last] = runs;
  const words = runs.length === 1 ? "Last run" : `Last ${runs.length} runs`;
  const newest =
    last === undefined || runs.length === 1 ? "" : `. The last one: ${about(last, now)}`;
  return `${words}: ${runs.length === 1 && last !== undefined ? about(last, now) : all}${newest}`;
}
