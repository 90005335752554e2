import { sql } from "kysely";
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

/** A workspace's events, newest first. Ids tell times too, and those are in every index. */
export async function listEvents(
  db: Database,
  workspaceId: string,
  filter: AuditFilter,
  page: { limit: number; after: string | undefined },
): Promise<AuditEventTable[]> {
  let query = db.kysely
    .selectFrom("audit_events")
    .selectAll()
    .where("workspace_id", "=", workspaceId);
  if (page.after !== undefined) query = query.where("id", "<", page.after);
  if (filter.actor !== undefined) query = query.where("user_id", "=", filter.actor);
  if (filter.action !== undefined) {
    query = query.where("action", "=", filter.action);
    // Says word for word what the index of those events is for, without which it is not used.
    if (filter.action !== "run.create") query = query.where(sql<boolean>`action <> 'run.create'`);
  }
  if (filter.target !== undefined) query = query.where("target", "=", filter.target);
  if (filter.since !== undefined) {
    const first = idFloor(filter.since - idDelayMs);
    query = query.where("at", ">=", filter.since).where("id", ">=", first);
  }
  if (filter.until !== undefined) {
    const beyond = idFloor(filter.until + idDelayMs);
    query = query.where("at", "<=", filter.until).where("id", "<", beyond);
  }
  return query.orderBy("id", "desc").limit(page.limit).execute();
}
