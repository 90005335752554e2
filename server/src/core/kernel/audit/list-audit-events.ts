import type { AuditEvent } from "@toolhost/contract";
import type { Caller } from "../caller.ts";
import type { NodeContext } from "../context.ts";
import type { RunViewer } from "../run-visibility.ts";
import type { AuditEventTable, Database } from "#db";
import { toTimestamp } from "#lib/clock";
import { findHidden } from "./find-hidden.ts";
import type { AuditFilter } from "./list-store.ts";
import { listEvents } from "./list-store.ts";

/**
 * The workspace's audit trail, newest first. Of what the caller may not see only the fact remains: somebody did something of
 * this kind. The name of a tool that they may not see matches nothing.
 */
export async function listAuditEvents(
  context: NodeContext,
  caller: Caller,
  filter: AuditFilter,
  page: { limit: number; after: string | undefined },
): Promise<AuditEvent[]> {
  const { events } = await readEvents(context.db, caller, filter, page);
  return events;
}

/** A page of events for a viewer, and where the next one goes on. */
export async function readEvents(
  db: Database,
  viewer: RunViewer,
  filter: AuditFilter,
  page: { limit: number; after: string | undefined },
): Promise<{ events: AuditEvent[]; next: string | undefined }> {
  const rows = await listEvents(db, viewer, filter, page);
  const hidden = await findHidden(db, viewer, rows);
  const isFound = (row: AuditEventTable) =>
    filter.target === undefined || !isName(row) || !hidden.has(row.id);
  const shown = rows.filter((row) => isFound(row));
  return {
    events: shown.map((row) => (hidden.has(row.id) ? presentHidden(row) : presentEvent(row))),
    next: rows.length < page.limit ? undefined : rows.at(-1)?.id,
  };
}

/** That it is about a draft, and ids, which cannot be guessed: they reveal nothing. */
const opaqueDetails = ["draft", "draftId", "runId", "parentRunId"] as const;

/**
 * An event without what it says of something that the viewer may not see. The id of the request goes too: nobody can guess it,
 * so that the hash does not confirm a guess of the rest.
 */
function presentHidden(row: AuditEventTable): AuditEvent {
  const event = presentEvent(row);
  const { outcome, details } = event;
  const isGood = outcome === "success" || outcome === "cancelled";
  return {
    ...event,
    target: isName(row) ? "" : row.target,
    outcome: isGood ? outcome : "failure",
    requestId: null,
    details: Object.fromEntries(
      opaqueDetails.flatMap((name) => {
        const value = details[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    hidden: true,
  };
}

/** Whether the target is a tool's name, which tells its title. All others are ids, also in the name of a draft. */
function isName({ action, target }: AuditEventTable): boolean {
  return action.startsWith("tool.") && !target.startsWith("draft-");
}

function presentEvent(row: AuditEventTable): AuditEvent {
  return {
    id: row.id,
    at: toTimestamp(row.at),
    workspaceId: row.workspace_id,
    actor: JSON.parse(row.actor) as AuditEvent["actor"],
    via: row.via as AuditEvent["via"],
    action: row.action,
    target: row.target,
    outcome: row.outcome,
    requestId: row.request_id,
    ip: row.ip,
    details: JSON.parse(row.details) as AuditEvent["details"],
    sequence: row.sequence,
    hash: row.hash,
  };
}
