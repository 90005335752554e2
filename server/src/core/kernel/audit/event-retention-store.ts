import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, TransactionStep } from "#db";
import { indexRange } from "#db";
import type { ChainEnds, Link } from "./audit-store.ts";

/** Workspaces whose first event is from before a time. */
export async function findWorkspacesWithOldEvents(
  db: Database,
  before: number,
  limit: number,
): Promise<string[]> {
  // Reads the first event of each chain, and never scans events.
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from audit_heads where coalesce((
      select at from audit_events
      where audit_events.workspace_id = audit_heads.workspace_id
        and audit_events.sequence = audit_heads.base_sequence + 1
    ), (
      select first_at from audit_segments
      where audit_segments.workspace_id = audit_heads.workspace_id
        and audit_segments.last_sequence > audit_heads.base_sequence
      order by audit_segments.last_sequence limit 1
    )) < ${before} limit ${limit}
  `.execute(db.kysely);
  return rows.map((row) => row.workspace_id);
}

/** The segment that has events on both sides of a position: some up to it, and some after it. */
export async function findSegmentAcross(
  db: Database,
  workspaceId: string,
  sequence: number,
): Promise<{ first_sequence: number } | undefined> {
  const next = await db.kysely
    .selectFrom("audit_segments")
    .select("first_sequence")
    .where("workspace_id", "=", workspaceId)
    .where("last_sequence", ">", sequence)
    .orderBy("last_sequence")
    .limit(1)
    .executeTakeFirst();
  return next !== undefined && next.first_sequence <= sequence ? next : undefined;
}

/**
 * Moves a chain's base, only if it is still the one that the caller read, so that no two nodes delete the same events, and
 * only if no segments were merged since, whose bounds the caller has read.
 */
export function moveBase(
  db: Database,
  workspaceId: string,
  { base, mergedSequence }: ChainEnds,
  to: Link,
): TransactionStep {
  const query = db.kysely
    .updateTable("audit_heads")
    .set({ base_sequence: to.sequence, base_hash: to.hash })
    .where("workspace_id", "=", workspaceId)
    .where("base_sequence", "=", base.sequence)
    .where("merged_sequence", "=", mergedSequence)
    .compile();
  return { query, mustChange: true };
}

/** Deletes the events after `from`, up to and including `to`, which must not be within a segment. */
export function deleteRange(
  db: Database,
  workspaceId: string,
  from: Link,
  to: Link,
): CompiledQuery[] {
  return [
    db.kysely
      .deleteFrom("audit_events")
      .where("workspace_id", "=", workspaceId)
      .where("sequence", ">", from.sequence)
      .where("sequence", "<=", to.sequence)
      .compile(),
    db.kysely
      .deleteFrom("audit_segments")
      .where("workspace_id", "=", workspaceId)
      .where("last_sequence", ">", from.sequence)
      .where("last_sequence", "<=", to.sequence)
      .compile(),
  ];
}

export async function hasEventsUpTo(
  db: Database,
  workspaceId: string,
  sequence: number,
): Promise<boolean> {
  const [row, segment] = await Promise.all([
    db.kysely
      .selectFrom("audit_events")
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("sequence", "<=", sequence)
      .limit(1)
      .executeTakeFirst(),
    db.kysely
      .selectFrom("audit_segments")
      .select("first_sequence")
      .where("workspace_id", "=", workspaceId)
      .orderBy("last_sequence")
      .limit(1)
      .executeTakeFirst(),
  ]);
  return row !== undefined || (segment !== undefined && segment.first_sequence <= sequence);
}

/** The details of an `audit.trim` event. */
export type TrimRecord = { count: number; lastSequence: number; lastHash: string };

/** The newest `audit.trim` records. Among them is the latest one, although the order of IDs is not exact. */
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
