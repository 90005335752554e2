import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { RunViewer } from "../run-visibility.ts";
import type { AuditEventTable, Database } from "#db";
import { indexRange } from "#db";
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

/**
 * A workspace's events, newest first. Of a tool by its name only those that are not somebody else's alone: whether there are
 * others must not show.
 */
export async function listEvents(
  db: Database,
  { workspaceId, userId }: RunViewer,
  filter: AuditFilter,
  page: { limit: number; after: string | undefined },
): Promise<AuditEventTable[]> {
  const { actor, action, target, since, until } = filter;
  const columns = columnsOf(workspaceId, filter);
  const { isWithin, newestFirst } = indexRange(db, { columns, ...idsOf(filter, page.after) });
  let query = db.kysely.selectFrom("audit_events").selectAll().where(isWithin);
  // Not as a plain column, for which SQLite would take an index of all that the workspace has.
  if (target !== undefined) {
    query = query.where(sql`workspace_id || ''`, "=", workspaceId)
      .where(sql<boolean>`(action not like 'tool.%' or private_to is null
          or private_to = ${userId} or user_id = ${userId})`);
  }
  if (actor !== undefined && !("user_id" in columns)) query = query.where("user_id", "=", actor);
  if (action !== undefined && !("action" in columns)) query = query.where("action", "=", action);
  // Says word for word what the index of those events is for, without which it is not used.
  if ("action" in columns) query = query.where(sql<boolean>`action <> 'run.create'`);
  if (since !== undefined || until !== undefined) {
    query = query.where(isAtWithin(since ?? 0, until ?? Number.MAX_SAFE_INTEGER));
  }
  return query.orderBy(newestFirst).limit(page.limit).execute();
}

/** What the index that finds the fewest events begins with: of a target, else of a rare action. */
function columnsOf(
  workspaceId: string,
  { actor, action, target }: AuditFilter,
): Record<string, string> {
  if (target !== undefined) return { target };
  // Nearly all events are those of runs.
  if (action !== undefined && action !== "run.create") return { workspace_id: workspaceId, action };
  if (actor !== undefined) return { workspace_id: workspaceId, user_id: actor };
  return { workspace_id: workspaceId };
}

/**
 * Wrapped, so that PostgreSQL does not expect next to nothing of a time that the ids are already of, and then
 * reads all of everybody's events of that time to sort them.
 */
function isAtWithin(since: number, until: number): RawBuilder<boolean> {
  return sql`coalesce(at >= ${since} and at <= ${until}, false)`;
}

/** The ids after a page that can be of the times asked for, since ids tell times. */
function idsOf({ since, until }: AuditFilter, after: string | undefined) {
  const from = since === undefined ? undefined : idFloor(since - idDelayMs);
  const end = until === undefined ? undefined : idFloor(until + idDelayMs);
  const ends = [end, after].filter((id) => id !== undefined);
  return { from, before: ends.toSorted((a, b) => (a < b ? -1 : 1))[0] };
}
