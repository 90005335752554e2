import type { AuditEvent } from "@toolhost/contract";
import { Badge, When } from "#components/badges";
import type { Column } from "#components/table-column";
import { eventLabel, outcomeLabel, sourceLabel } from "./labels.ts";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

const text = messages.columns;

const sourceColumns: readonly Column<AuditEvent>[] = [
  {
    id: "source",
    label: text.source,
    width: "5.5rem",
    cell: ({ via }) => <span className="text-soft">{sourceLabel(via)}</span>,
  },
  {
    id: "ip",
    label: text.ip,
    width: "8rem",
    phone: "none",
    isOptional: true,
    cell: ({ ip }) => ip,
  },
  {
    id: "time",
    label: text.time,
    width: "8.5rem",
    isEnd: true,
    phone: "end",
    cell: ({ at }) => (
      <span className="text-soft">
        <When at={at} />
      </span>
    ),
  },
];

/** The columns of the audit log. */
export function eventColumns({
  actorName,
  summaryOf,
  onOpen,
}: {
  actorName: (event: AuditEvent) => string;
  summaryOf: (event: AuditEvent) => string;
  onOpen: (event: AuditEvent) => void;
}): readonly Column<AuditEvent>[] {
  return [
    {
      id: "action",
      label: text.action,
      width: "minmax(0,1.2fr)",
      phone: "title",
      cell: (event) => (
        <button type="button" className="ui-row-link" onClick={() => onOpen(event)}>
          {eventLabel(event)}
        </button>
      ),
    },
    {
      id: "target",
      label: text.target,
      width: "minmax(0,2fr)",
      phone: "line",
      cell: (event) => (
        <span title={event.target}>
          <Name>{summaryOf(event)}</Name>
        </span>
      ),
    },
    {
      id: "outcome",
      label: text.outcome,
      width: "7.5rem",
      cell: ({ outcome }) =>
        outcome === "success" ? null : (
          <Badge tone={outcome === "cancelled" ? "soft" : "bad"}>{outcomeLabel(outcome)}</Badge>
        ),
    },
    {
      id: "actor",
      label: text.actor,
      width: "minmax(0,1fr)",
      cell: (event) => actorName(event),
    },
    ...sourceColumns,
  ];
}
