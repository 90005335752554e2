import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import { deleteLogs, deleteRuns } from "#core/runs";
import type { Database } from "#db";

/** The database's time in Unix milliseconds, so that retention does not depend on a node's clock. */
export async function readTime(db: Database): Promise<number> {
  const query = db.kysely.selectNoFrom(db.now().as("now")).compile();
  const { rows } = await db.kysely.executeQuery<{ now: number }>(query);
  const [row] = rows;
  if (row === undefined) throw new Error("The database returned no time");
  return row.now;
}

/** A table whose rows are deleted in the order of a column that grows with time. */
export type Sweepable = {
  table: "runs" | "run_logs" | "idempotency_records";
  column: "id" | "run_id" | "created_at";
  /** Old rows that must not be deleted. */
  unless?: RawBuilder<boolean>;
  /** Deletes the rows that match a condition. */
  remove: (db: Database, condition: RawBuilder<unknown>) => CompiledQuery[];
};

const isUnfinished = sql<boolean>`runs.status = 'running'`;

export const oldRuns: Sweepable = {
  table: "runs",
  column: "id",
  unless: isUnfinished,
  remove: deleteRuns,
};
export const oldLogs: Sweepable = {
  table: "run_logs",
  column: "run_id",
  unless: sql<boolean>`exists (select 1 from runs where runs.id = run_logs.run_id and ${isUnfinished})`,
  remove: deleteLogs,
};
export const oldIdempotencyRecords: Sweepable = {
  table: "idempotency_records",
  column: "created_at",
  remove: (db, condition) => [
    sql`delete from idempotency_records where ${condition}`.compile(db.kysely),
  ],
};

/** The cursor after which the next batch starts, and the number of rows processed. */
export type SweptBatch = { last: string | number; count: number };

/**
 * Deletes the oldest rows, at most `limit` of those between two values of the column. Each batch starts after the previous
 * one, so that it does not scan rows that were deleted but not vacuumed yet.
 */
export async function sweepBatch(
  db: Database,
  { table, column, unless, remove }: Sweepable,
  { after, before, limit }: { after: string | number; before: string | number; limit: number },
): Promise<SweptBatch | undefined> {
  const cursor = sql.ref(column);
  const { rows } = await sql<{ last: string | number | null; count: number }>`
    select max(cursor) as last, count(*) as count from (
      select ${cursor} as cursor from ${sql.table(table)}
      where ${cursor} > ${after} and ${cursor} < ${before} order by ${cursor} limit ${limit}
    ) as batch
  `.execute(db.kysely);
  const [found] = rows;
  if (found === undefined || found.last === null) return undefined;
  // The delete repeats the condition, because a row may have been renewed since it was read.
  const isOld = sql`${cursor} > ${after} and ${cursor} <= ${found.last} and ${cursor} < ${before}
    ${unless === undefined ? sql`` : sql`and not (${unless})`}`;
  await db.transact(remove(db, isOld));
  return { last: found.last, count: found.count };
}
