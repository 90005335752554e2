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
      className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-1 px-4 py-2.5 text-left text-sm hover:bg-raised focus-visible:-outline-offset-2 lg:grid-cols-[minmax(0,10rem)_minmax(0,13rem)_minmax(0,1fr)_auto_6.5rem]"
    >
      <span className="truncate font-medium">{actor}</span>
      <span className="max-lg:row-start-2">{eventLabel(event)}</span>
      <span className="min-w-0 truncate text-soft max-lg:col-span-2 max-lg:row-start-3 max-lg:empty:hidden">
        {summary}
      </span>
      <span className="flex justify-end gap-1 max-lg:row-start-2">
        {outcome === "success" ? null : (
          <Badge tone={outcome === "cancelled" ? "soft" : "bad"}>{outcomeLabel(outcome)}</Badge>
        )}
        <Badge>{sourceLabel(via)}</Badge>
      </span>
      <span className="text-right text-soft">
        <When at={at} />
      </span>
    </button>
  );
}
