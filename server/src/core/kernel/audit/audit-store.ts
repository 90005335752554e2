import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { AuditEventTable, AuditSegmentTable, Database, TransactionStep } from "#db";
import { indexRange } from "#db";
import { genesisHash } from "./audit-chain.ts";
import { isDescribed, unpackSegment } from "./audit-segment.ts";
import type { SealedEvent } from "./audit-segment.ts";

/** The parts of an event that the next one in the chain builds on. */
export type Link = { sequence: number; hash: string };

/** Both ends of a chain: its newest event, and the base that its oldest event builds on. */
export type ChainEnds = {
  head: Link;
  base: Link;
  /** Changes whenever segments are merged. What was read from several segments meanwhile may lack or repeat events. */
  mergedSequence: number;
};

export function insertSegment(db: Database, segment: AuditSegmentTable): CompiledQuery {
  return db.kysely.insertInto("audit_segments").values(segment).compile();
}

/** Each has at most some 50 kB. */
const segmentsPerRead = 20;

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
      mergedSequence: row.merged_sequence,
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

/** A part of a chain, and whether the chain has no further events. */
type ChainPart = {
  events: AuditEventTable[];
  isEnd: boolean;
  /** Where the first segment is that cannot be read, or that does not contain what its columns say. */
  alteredAt: number | undefined;
};

/** The events of a workspace's chain after a position, in order: at least `limit`, if there are so many. */
export async function findChain(
  db: Database,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<ChainPart> {
  const [rows, segments] = await Promise.all([
    db.kysely
      .selectFrom("audit_events")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .where("sequence", ">", after)
      .orderBy("sequence")
      .limit(limit)
      .execute(),
    findSegmentsAfter(db, workspaceId, after, limit),
  ]);
  // Later events of one table may be missing before earlier ones of the other are read.
  const ends = [
    ...(rows.length < limit ? [] : [rows.at(-1)?.sequence ?? 0]),
    ...(segments.isEnd ? [] : [segments.lastSequence]),
  ];
  const end = Math.min(...ends);
  const events = [...rows, ...segments.events]
    .filter(({ sequence }) => sequence !== null && sequence > after && sequence <= end)
    .toSorted((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
  return { events, isEnd: ends.length === 0, alteredAt: segments.alteredAt };
}

/** The events of the segments that end after a position. Those of a segment that cannot be read are missing. */
async function findSegmentsAfter(
  db: Database,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<ChainPart & { lastSequence: number }> {
  const events: AuditEventTable[] = [];
  let lastSequence = after;
  let alteredAt: number | undefined;
  while (events.length < limit) {
    const segments = await db.kysely
      .selectFrom("audit_segments")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .where("last_sequence", ">", lastSequence)
      .orderBy("last_sequence")
      .limit(segmentsPerRead)
      .execute();
    for (const segment of segments) {
      const unpacked = await unpackSegment(segment);
      if (unpacked === undefined || !isDescribed(segment, unpacked)) {
        alteredAt ??= unpacked?.[0]?.sequence ?? segment.last_sequence;
      }
      events.push(...(unpacked ?? []));
      lastSequence = segment.last_sequence;
      if (events.length >= limit) return { events, lastSequence, isEnd: false, alteredAt };
    }
    if (segments.length < segmentsPerRead) return { events, lastSequence, isEnd: true, alteredAt };
  }
  return { events, lastSequence, isEnd: false, alteredAt };
}

/** The stored hash of the event with a sequence number. */
export async function findSealedHash(
  db: Database,
  workspaceId: string,
  sequence: number,
): Promise<string | undefined> {
  const { events } = await findChain(db, workspaceId, sequence - 1, 1);
  const [event] = events;
  return event?.sequence === sequence ? (event.hash ?? undefined) : undefined;
}

type LogSummary = { firstAt: number | null; lastAt: number | null; unsealed: number };

/** The times of a workspace's oldest and newest events, and the number of unsealed ones. */
export async function findLogSummary(db: Database, workspaceId: string): Promise<LogSummary> {
  const range = indexRange(db, { columns: { workspace_id: workspaceId } });
  const events = db.kysely.selectFrom("audit_events").select("at").where(range.isWithin).limit(1);
  const ofRuns = db.kysely
    .selectFrom("unsealed_run_events")
    .select("at")
    .where("workspace_id", "=", workspaceId)
    .limit(1);
  const segments = db.kysely
    .selectFrom("audit_segments")
    .where("workspace_id", "=", workspaceId)
    .limit(1);
  const [firsts, lasts, unsealed] = await Promise.all([
    Promise.all([
      events.orderBy(range.oldestFirst).execute(),
      ofRuns.orderBy("id").execute(),
      segments.select("first_at as at").orderBy("last_sequence").execute(),
    ]),
    Promise.all([
      events.orderBy(range.newestFirst).execute(),
      ofRuns.orderBy("id", "desc").execute(),
      segments.select("last_at as at").orderBy("last_sequence", "desc").execute(),
    ]),
    countUnsealedBefore(db, workspaceId, Number.MAX_SAFE_INTEGER),
  ]);
  const [first, last] = [firsts, lasts].map((found) => found.flat().map(({ at }) => at));
  return {
    firstAt: first?.length ? Math.min(...first) : null,
    lastAt: last?.length ? Math.max(...last) : null,
    unsealed,
  };
}

export async function findChainWorkspaces(db: Database): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("audit_events")
    .select("workspace_id")
    .union(db.kysely.selectFrom("unsealed_run_events").select("workspace_id"))
    .union(db.kysely.selectFrom("audit_heads").select("workspace_id"))
    .execute();
  return rows.map((row) => row.workspace_id).toSorted();
}

export async function countUnsealedBefore(
  db: Database,
  workspaceId: string,
  before: number,
): Promise<number> {
  const counts = await Promise.all([
    db.kysely
      .selectFrom("audit_events")
      .select((expression) => expression.fn.countAll<number>().as("count"))
      .where("workspace_id", "=", workspaceId)
      .where("sequence", "is", null)
      .where("at", "<", before)
      .executeTakeFirstOrThrow(),
    db.kysely
      .selectFrom("unsealed_run_events")
      .select((expression) => expression.fn.countAll<number>().as("count"))
      .where("workspace_id", "=", workspaceId)
      .where("at", "<", before)
      .executeTakeFirstOrThrow(),
  ]);
  return counts.reduce((sum, { count }) => sum + count, 0);
}
