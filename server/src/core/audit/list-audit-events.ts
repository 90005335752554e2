import type { AuditEvent } from "@toolhost/contract";
import type { Caller } from "#core/access";
import type { Context } from "#core/context";
import type { AuditEventTable } from "#db";
import { toTimestamp } from "#lib/clock";
import type { AuditFilter } from "./list-store.ts";
import { listEvents } from "./list-store.ts";

/** The workspace's audit trail, newest first. */
export async function listAuditEvents(
  context: Context,
  caller: Caller,
  filter: AuditFilter,
  page: { limit: number; after: string | undefined },
): Promise<AuditEvent[]> {
  const rows = await listEvents(context.db, caller.workspaceId, filter, page);
  return rows.map(presentEvent);
}

/** An event as it is told of. */
export function presentEvent(row: AuditEventTable): AuditEvent {
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
