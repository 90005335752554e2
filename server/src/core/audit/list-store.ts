import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { AuditEventTable, Database } from "#db";
import { idFloor } from "#lib/ids";

export type AuditFilter = {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
};

/** An event's id is made a moment after the time that it tells. */
const idDelayMs = 60_000;
/** Comes after every id, which are hex digits. */
const pastIds = "g";

/** A workspace's events, newest first. */
export async function listEvents(
  db: Database,
  workspaceId: string,
  filter: AuditFilter,
  page: { limit: number; after: string | undefined },
): Promise<AuditEventTable[]> {
  let query = db.kysely
    .selectFrom("audit_events")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where(idsWithin(filter, page.after));
  if (filter.actor !== undefined) {
    // A target has few events: those are looked through, and not all of the actor's.
    const actor = filter.target === undefined ? sql.ref("user_id") : sql<string>`user_id || ''`;
    query = query.where(actor, "=", filter.actor);
  }
  if (filter.action !== undefined) {
    query = query.where("action", "=", filter.action);
    // Says word for word what the index of those events is for, without which it is not used.
    if (filter.action !== "run.create") query = query.where(sql<boolean>`action <> 'run.create'`);
  }
  if (filter.target !== undefined) query = query.where("target", "=", filter.target);
  if (filter.since !== undefined) query = query.where("at", ">=", filter.since);
  if (filter.until !== undefined) query = query.where("at", "<=", filter.until);
  return query.orderBy("id", "desc").limit(page.limit).execute();
}

/**
 * The ids after a page that can be of the times asked for, since ids tell times and end every index. One
 * range, for SQLite takes the wrong index when there are two upper bounds.
 */
function idsWithin({ since, until }: AuditFilter, after: string | undefined): RawBuilder<boolean> {
  const first = idFloor(since === undefined ? 0 : since - idDelayMs);
  const latest = until === undefined ? pastIds : idFloor(until + idDelayMs);
  const last = after !== undefined && after < latest ? after : latest;
  return sql<boolean>`id between ${first} and ${last} and id <> ${after ?? ""}`;
}
