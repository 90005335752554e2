import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { AuditEventTable, Database, TransactionStep } from "#db";
import { indexRange } from "#db";
import { genesisHash } from "./audit-chain.ts";

export type SealedEvent = { id: string; sequence: number; hash: string };

/** The parts of an event that the next one in the chain builds on. */
export type Link = { sequence: number; hash: string };

/** Both ends of a chain: its newest event, and the base that its oldest event builds on. */
export type ChainEnds = { head: Link; base: Link };

/** Workspaces with unsealed events. */
export async function findUnsealedWorkspaces(db: Database): Promise<string[]> {
  // Ordered like the index of unsealed events. Otherwise SQLite uses another index and scans all events.
  const { rows } = await sql<{ workspace_id: string }>`
    select distinct workspace_id from (
      select workspace_id, id from audit_events where sequence is null order by workspace_id, id
    ) as waiting
  `.execute(db.kysely);
  return rows.map((row) => row.workspace_id);
}

/** A workspace's unsealed events, oldest first. */
export async function findUnsealed(
  db: Database,
  workspaceId: string,
  limit: number,
): Promise<AuditEventTable[]> {
  const { isWithin, oldestFirst } = indexRange(db, { columns: { workspace_id: workspaceId } });
  return db.kysely
    .selectFrom("audit_events")
    .selectAll()
    .where(isWithin)
    .where("sequence", "is", null)
    .orderBy(oldestFirst)
    .limit(limit)
    .execute();
}

/** The ends of a workspace's chain. Undefined before its first event is sealed. */
export async function findEnds(db: Database, workspaceId: string): Promise<ChainEnds | undefined> {
  const row = await db.kysely
    .selectFrom("audit_heads")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return (
    row && {
      head: { sequence: row.sequence, hash: row.hash },
      base: { sequence: row.base_sequence, hash: row.base_hash },
    }
  );
}

/** Moves a chain's head, only if it is still the one that the caller read, so that two nodes cannot both append. */
export function moveHead(
  db: Database,
  workspaceId: string,
  from: Link | undefined,
  to: Link,
): TransactionStep {
  if (from === undefined) {
    const query = db.kysely
      .insertInto("audit_heads")
      .values({ workspace_id: workspaceId, ...to, base_sequence: 0, base_hash: genesisHash })
      .onConflict((conflict) => conflict.doNothing())
      .compile();
    return { query, mustChange: true };
  }
  const query = db.kysely
    .updateTable("audit_heads")
    .set(to)
    .where("workspace_id", "=", workspaceId)
    .where("sequence", "=", from.sequence)
    .compile();
  return { query, mustChange: true };
}

/** Sets the sequence and hash of many events with one statement. */
export function setSequences(db: Database, sealed: readonly SealedEvent[]): CompiledQuery {
  const rows = sealed.map(
    ({ id, sequence, hash }) => sql`(${id}, cast(${sequence} as bigint), ${hash})`,
  );
  return sql`
    with sealed (id, sequence, hash) as (values ${sql.join(rows)})
    update audit_events set sequence = sealed.sequence, hash = sealed.hash
    from sealed where audit_events.id = sealed.id and audit_events.sequence is null
  `.compile(db.kysely);
}

/** A part of a workspace's chain, in order. */
export async function findChain(
  db: Database,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<AuditEventTable[]> {
  return db.kysely
    .selectFrom("audit_events")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("sequence", ">", after)
    .orderBy("sequence")
    .limit(limit)
    .execute();
}

/** The stored hash of the event with a sequence number. */
export async function findSealedHash(
  db: Database,
  workspaceId: string,
  sequence: number,
): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("audit_events")
    .select("hash")
    .where("workspace_id", "=", workspaceId)
    .where("sequence", "=", sequence)
    .executeTakeFirst();
  return row?.hash ?? undefined;
}

type LogSummary = { firstAt: number | null; lastAt: number | null; unsealed: number };

/** The times of a workspace's oldest and newest events, and the number of unsealed ones. */
export async function findLogSummary(db: Database, workspaceId: string): Promise<LogSummary> {
  const range = indexRange(db, { columns: { workspace_id: workspaceId } });
  const events = db.kysely.selectFrom("audit_events").where(range.isWithin);
  const [first, last, unsealed] = await Promise.all([
    events.select("at").orderBy(range.oldestFirst).limit(1).executeTakeFirst(),
    events.select("at").orderBy(range.newestFirst).limit(1).executeTakeFirst(),
    countUnsealedBefore(db, workspaceId, Number.MAX_SAFE_INTEGER),
  ]);
  return { firstAt: first?.at ?? null, lastAt: last?.at ?? null, unsealed };
}

export async function findChainWorkspaces(db: Database): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("audit_events")
    .select("workspace_id")
    .union(db.kysely.selectFrom("audit_heads").select("workspace_id"))
    .execute();
  return rows.map((row) => row.workspace_id).toSorted();
}

export async function countUnsealedBefore(
  db: Database,
  workspaceId: string,
  before: number,
): Promise<number> {
  const row = await db.kysely
    .selectFrom("audit_events")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", workspaceId)
    .where("sequence", "is", null)
    .where("at", "<", before)
    .executeTakeFirstOrThrow();
  return row.count;
}
