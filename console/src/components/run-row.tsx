import { Link } from "@tanstack/react-router";
import type { RunSummary } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge, StatusBadge, When } from "#components/badges";
import { formatDuration } from "#lib/format";
import { viaLabels } from "#runs/via-labels.ts";
import { messages as allMessages } from "./messages-run-record.ts";

const messages = allMessages.row;

/** A run in a list. */
export function RunRow({
  run,
  who,
  isToolShown = true,
}: {
  run: RunSummary;
  /** The name of the user who started the run. */
  who: string;
  isToolShown?: boolean;
}): ReactNode {
  const { runId, status, toolName, toolVersion, error, durationMs, startedAt } = run;
  const isUnpublished = run.draft && toolName.startsWith("draft-");
  const name = run.title || (isUnpublished ? messages.unpublishedTool : toolName);
  return (
    <div className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-0.5 px-4 py-2.5 sm:grid-cols-[6rem_minmax(0,1fr)_auto]">
      <span>
        <StatusBadge status={status} isQueued={run.queued} />
      </span>
      <div className="min-w-0">
        <Link
          to="/runs/$runId"
          params={{ runId }}
          className="block truncate font-medium hover:underline"
        >
          {isToolShown ? <bdi>{name}</bdi> : messages.run(runId.slice(-8))}
        </Link>
        <p className="ui-facts">
          {run.question === undefined ? null : <Badge tone="warn">{messages.question}</Badge>}
          <span>
            {who} {viaLabels[run.via]}
          </span>
          {run.draft ? (
            <Badge tone="warn">{messages.draft}</Badge>
          ) : (
            <span>{messages.version(toolVersion)}</span>
          )}
          {isToolShown && !isUnpublished && name !== toolName ? (
            <code className="min-w-0 truncate font-mono text-xs">{toolName}</code>
          ) : null}
        </p>
        {error === undefined ? null : (
          <p className="truncate text-sm text-bad">
            <bdi>{error.message}</bdi>
          </p>
        )}
      </div>
      <div className="col-start-2 flex gap-3 text-sm text-soft sm:col-start-3 sm:grid sm:justify-items-end sm:gap-0">
        <When at={startedAt ?? run.createdAt} />
        <span className="whitespace-nowrap tabular-nums">
          {durationMs === null ? "" : formatDuration(durationMs)}
        </span>
        {durationMs === null ? null : <DurationBar durationMs={durationMs} />}
      </div>
    </div>
  );
}

const minMs = 1;
const maxMs = 900_000;

/** The duration on a logarithmic scale, from a millisecond to the longest timeout, so that rows can be compared. */
function DurationBar({ durationMs }: { durationMs: number }): ReactNode {
  const share = Math.log(Math.max(minMs, durationMs)) / Math.log(maxMs);
  return (
    <span aria-hidden className="hidden h-1 w-16 rounded-xs bg-raised sm:block">
      <span
        className="block h-1 rounded-xs bg-edge"
        style={{ width: `${Math.min(100, Math.max(4, share * 100)).toFixed(0)}%` }}
      />
    </span>
  );
}
