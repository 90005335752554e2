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
      className="flex w-full flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 text-left text-sm hover:bg-raised focus-visible:-outline-offset-2"
    >
      <span className="font-medium">{actor}</span>
      <span>{eventLabel(event)}</span>
      <span className="min-w-0 flex-1 basis-40 truncate text-soft">{summary}</span>
      {outcome === "success" ? null : (
        <Badge tone={outcome === "failure" || outcome === "failed" ? "bad" : "soft"}>
          {outcomeLabel(outcome)}
        </Badge>
      )}
      <Badge>{sourceLabel(via)}</Badge>
      <span className="text-soft">
        <When at={at} />
      </span>
    </button>
  );
}
