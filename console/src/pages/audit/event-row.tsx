import type { AuditEvent } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge, When } from "#components/badges";
import { eventLabel, outcomeLabel, sourceLabel } from "./labels.ts";

/** An event in one line. Pressing it opens the details. */
export function EventRow({
  event,
  actor,
  summary,
  onOpen,
}: {
  event: AuditEvent;
  actor: string;

  summary: string;
  onOpen: () => void;
}): ReactNode {
  const { via, outcome, at } = event;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="grid w-full grid-cols-1 items-baseline gap-x-3 gap-y-1 px-4 py-2.5 text-left text-sm hover:bg-raised focus-visible:-outline-offset-2 sm:grid-cols-[minmax(0,10rem)_minmax(0,13rem)_minmax(0,1fr)_auto_6.5rem]"
    >
      <span className="truncate font-medium">{actor}</span>
      <span>{eventLabel(event)}</span>
      <span className="min-w-0 truncate text-soft">{summary}</span>
      <span className="flex gap-1 sm:justify-end">
        {outcome === "success" ? null : (
          <Badge tone={outcome === "failure" || outcome === "failed" ? "bad" : "soft"}>
            {outcomeLabel(outcome)}
          </Badge>
        )}
        <Badge>{sourceLabel(via)}</Badge>
      </span>
      <span className="text-soft sm:text-right">
        <When at={at} />
      </span>
    </button>
  );
}
