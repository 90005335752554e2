import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, TransactionStep } from "#db";
import { indexRange } from "#db";
import type { Link } from "./audit-store.ts";

/** Workspaces whose chain begins with an event from before a time. */
export async function findTrimmable(
  db: Database,
  before: number,
  limit: number,
): Promise<string[]> {
  // A look at the first event of each chain, and never a walk over events.
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from audit_heads where (
      select at from audit_events
      where audit_events.workspace_id = audit_heads.workspace_id
        and audit_events.sequence = audit_heads.base_sequence + 1
    ) < ${before} limit ${limit}
  `.execute(db.kysely);
  return rows.map((row) => row.workspace_id);
}

/** Moves a chain's base, only from where the caller saw it: no two of them delete the same events. */
export function moveBase(db: Database, workspaceId: string, from: Link, to: Link): TransactionStep {
  const query = db.kysely
    .updateTable("audit_heads")
    .set({ base_sequence: to.sequence, base_hash: to.hash })
    .where("workspace_id", "=", workspaceId)
    .where("base_sequence", "=", from.sequence)
    .compile();
  return { query, mustChange: true };
}

/** Deletes a stretch of a chain: what comes after `from`, up to and with `to`. */
export function deleteStretch(
  db: Database,
  workspaceId: string,
  from: Link,
  to: Link,
): CompiledQuery {
  return db.kysely
    .deleteFrom("audit_events")
    .where("workspace_id", "=", workspaceId)
    .where("sequence", ">", from.sequence)
    .where("sequence", "<=", to.sequence)
    .compile();
}

export async function hasEventsUpTo(
  db: Database,
  workspaceId: string,
  sequence: number,
): Promise<boolean> {
  const row = await db.kysely
    .selectFrom("audit_events")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("sequence", "<=", sequence)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What an `audit.trim` event says of the events that left with it. */
export type TrimRecord = { count: number; lastSequence: number; lastHash: string };

/** The newest records of trimming, of which the last one made is one. */
export async function findTrimRecords(db: Database, workspaceId: string): Promise<TrimRecord[]> {
  const columns = { workspace_id: workspaceId, action: "audit.trim" };
  const { isWithin, newestFirst } = indexRange(db, { columns });
  const rows = await db.kysely
    .selectFrom("audit_events")
    .select("details")
    .where(isWithin)
    .where(sql<boolean>`action <> 'run.create'`)
    .orderBy(newestFirst)
    .limit(100)
    .execute();
  return rows.map(({ details }) => JSON.parse(details) as TrimRecord);
}
