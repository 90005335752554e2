import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import { deleteLogs, deleteRuns } from "#core/runs";
import type { Database } from "#db";

/** The database's time in Unix milliseconds: what is old must not depend on a node's clock. */
export async function readTime(db: Database): Promise<number> {
  const query = db.kysely.selectNoFrom(db.now().as("now")).compile();
  const { rows } = await db.kysely.executeQuery<{ now: number }>(query);
  const [row] = rows;
  if (row === undefined) throw new Error("The database did not tell the time");
  return row.now;
}

/**
 * Takes or keeps a task for one node, until `holdMs` from now. False while another node has it; a node
 * that died gives it back by the passing of that time.
 */
export async function takeTask(
  db: Database,
  { name, nodeId, holdMs }: { name: string; nodeId: string; holdMs: number },
): Promise<boolean> {
  const until = sql<number>`${db.now()} + ${sql.lit(holdMs)}`;
  const query = db.kysely
    .insertInto("task_locks")
    .values({ name, holder: nodeId, expires_at: until })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder: nodeId, expires_at: until })
        .where((where) =>
          where.or([
            where("task_locks.holder", "=", nodeId),
            where("task_locks.expires_at", "<", db.now()),
          ]),
        ),
    )
    .compile();
  return db.transact([{ query, mustChange: true }]);
}

/** A table whose rows leave in the order of a column that grows with time. */
export type Sweepable = {
  table: "runs" | "run_logs" | "idempotency_records";
  column: "id" | "run_id" | "created_at";
  /** Rows that must stay although they are old. */
  unless?: RawBuilder<boolean>;
  /** Deletes those that meet a condition. */
  remove: (db: Database, condition: RawBuilder<unknown>) => CompiledQuery[];
};

const isUnderWay = sql<boolean>`runs.status = 'running'`;

export const oldRuns: Sweepable = {
  table: "runs",
  column: "id",
  unless: isUnderWay,
  remove: deleteRuns,
};
export const oldLogs: Sweepable = {
  table: "run_logs",
  column: "run_id",
  unless: sql<boolean>`exists (select 1 from runs where runs.id = run_logs.run_id and ${isUnderWay})`,
  remove: deleteLogs,
};
export const oldIdempotencyRecords: Sweepable = {
  table: "idempotency_records",
  column: "created_at",
  remove: (db, condition) => [
    sql`delete from idempotency_records where ${condition}`.compile(db.kysely),
  ],
};

/** What a batch looked at: its last place, after which the next batch begins, and how many rows. */
export type SweptBatch = { last: string | number; count: number };

/**
 * Deletes the oldest rows, at most `limit` of those after one place and before another. The place moves
 * on, so that no batch walks over what those before it have deleted and the database has not cleaned up.
 */
export async function sweepBatch(
  db: Database,
  { table, column, unless, remove }: Sweepable,
  { after, before, limit }: { after: string | number; before: string | number; limit: number },
): Promise<SweptBatch | undefined> {
  const place = sql.ref(column);
  const { rows } = await sql<{ last: string | number | null; count: number }>`
    select max(place) as last, count(*) as count from (
      select ${place} as place from ${sql.table(table)}
      where ${place} > ${after} and ${place} < ${before} order by ${place} limit ${limit}
    ) as batch
  `.execute(db.kysely);
  const [found] = rows;
  if (found === undefined || found.last === null) return undefined;
  // Asked again of each row that is deleted: it may have been made new since we looked.
  const isOld = sql`${place} > ${after} and ${place} <= ${found.last} and ${place} < ${before}
    ${unless === undefined ? sql`` : sql`and not (${unless})`}`;
  await db.transact(remove(db, isOld));
  return { last: found.last, count: found.count };
}
