import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { AuditSegmentTable, Database, TransactionStep } from "#db";
import type { ChainEnds } from "./audit-store.ts";

/** What decides whether segments fit into one. */
export type SegmentSize = Pick<
  AuditSegmentTable,
  "first_at" | "last_at" | "last_sequence" | "event_count"
>;

/** Workspaces whose first segment that was not merged yet is from before a time. */
export async function findWorkspacesToMerge(
  db: Database,
  before: number,
  limit: number,
): Promise<string[]> {
  // Reads one segment of each chain, and never scans segments.
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from audit_heads where merged_sequence < sequence and (
      select first_at from audit_segments
      where audit_segments.workspace_id = audit_heads.workspace_id
        and audit_segments.last_sequence > case
          when audit_heads.merged_sequence > audit_heads.base_sequence
          then audit_heads.merged_sequence else audit_heads.base_sequence end
      order by audit_segments.last_sequence limit 1
    ) < ${before} limit ${limit}
  `.execute(db.kysely);
  return rows.map((row) => row.workspace_id);
}

/** The sizes of the segments that end after a position, in the order of the chain. */
export function findSegmentSizes(
  db: Database,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<SegmentSize[]> {
  return db.kysely
    .selectFrom("audit_segments")
    .select(["first_at", "last_at", "last_sequence", "event_count"])
    .where("workspace_id", "=", workspaceId)
    .where("last_sequence", ">", after)
    .orderBy("last_sequence")
    .limit(limit)
    .execute();
}

/** The segments of a group, in the order of the chain. */
export function findSegmentsBetween(
  db: Database,
  workspaceId: string,
  group: readonly SegmentSize[],
): Promise<AuditSegmentTable[]> {
  return db.kysely
    .selectFrom("audit_segments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("last_sequence", "in", endsOf(group))
    .orderBy("last_sequence")
    .execute();
}

export function deleteSegments(
  db: Database,
  workspaceId: string,
  group: readonly SegmentSize[],
): CompiledQuery {
  return db.kysely
    .deleteFrom("audit_segments")
    .where("workspace_id", "=", workspaceId)
    .where("last_sequence", "in", endsOf(group))
    .compile();
}

const endsOf = (group: readonly SegmentSize[]) => group.map(({ last_sequence }) => last_sequence);

/**
 * Moves the position up to which segments are merged, only if neither another node has moved it nor retention has moved the
 * chain's base since the caller read them.
 */
export function moveMerged(
  db: Database,
  workspaceId: string,
  { base, mergedSequence }: ChainEnds,
  to: number,
): TransactionStep {
  const query = db.kysely
    .updateTable("audit_heads")
    .set({ merged_sequence: to })
    .where("workspace_id", "=", workspaceId)
    .where("merged_sequence", "=", mergedSequence)
    .where("base_sequence", "=", base.sequence)
    .compile();
  return { query, mustChange: true };
}

/** Up to which position the segments of a workspace are merged. */
export async function findMergedSequence(db: Database, workspaceId: string): Promise<number> {
  const row = await db.kysely
    .selectFrom("audit_heads")
    .select("merged_sequence")
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return row?.merged_sequence ?? 0;
}
