import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { AuditEventTable, Database } from "#db";
import { indexRange } from "#db";
import type { SealedEvent } from "./audit-segment.ts";

/** Workspaces with unsealed events. */
export async function findUnsealedWorkspaces(db: Database): Promise<string[]> {
  // Ordered like the index of unsealed events. Otherwise SQLite uses another index and scans all events.
  const { rows } = await sql<{ workspace_id: string }>`
    select distinct workspace_id from (
      select workspace_id, id from audit_events where sequence is null order by workspace_id, id
    ) as waiting
    union select distinct workspace_id from unsealed_run_events
  `.execute(db.kysely);
  return rows.map((row) => row.workspace_id);
}

/** A workspace's unsealed events, oldest first; those of runs have no row in `audit_events`. */
export async function findUnsealed(
  db: Database,
  workspaceId: string,
  limit: number,
): Promise<{ event: AuditEventTable; isOfRun: boolean }[]> {
  const { isWithin, oldestFirst } = indexRange(db, { columns: { workspace_id: workspaceId } });
  const [events, ofRuns] = await Promise.all([
    db.kysely
      .selectFrom("audit_events")
      .selectAll()
      .where(isWithin)
      .where("sequence", "is", null)
      .orderBy(oldestFirst)
      .limit(limit)
      .execute(),
    findUnsealedRunEvents(db, workspaceId, { range: {}, order: "oldest", limit }),
  ]);
  return [
    ...events.map((event) => ({ event, isOfRun: false })),
    ...ofRuns.map((event) => ({ event, isOfRun: true })),
  ]
    .toSorted((one, other) => (one.event.id < other.event.id ? -1 : 1))
    .slice(0, limit);
}

/** IDs of events: from the first one, and up to the one to stop before. All if omitted. */
export type IdRange = { from?: string | undefined; before?: string | undefined };

export type Order = "newest" | "oldest";

/** Sorts after every ID, because IDs consist of hexadecimal digits. */
export const afterAllIds = "g";

/** The unsealed events of a workspace's runs in a range, at most `limit`. */
export async function findUnsealedRunEvents(
  db: Database,
  workspaceId: string,
  {
    range: { from = "", before = afterAllIds },
    order,
    limit,
  }: { range: IdRange; order: Order; limit: number },
): Promise<AuditEventTable[]> {
  const rows = await db.kysely
    .selectFrom("unsealed_run_events")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", ">=", from)
    .where("id", "<", before)
    .orderBy("id", order === "newest" ? "desc" : "asc")
    .limit(limit)
    .execute();
  return rows.map((event) => ({ ...event, sequence: null, hash: null }));
}

/** Deletes the unsealed copies of events of runs, which a segment stores now. */
export function deleteUnsealed(
  db: Database,
  workspaceId: string,
  events: readonly SealedEvent[],
): CompiledQuery {
  const ids = events.map(({ id }) => id);
  return db.kysely
    .deleteFrom("unsealed_run_events")
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .compile();
}
