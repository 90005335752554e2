import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Database } from "#db";
import { ownBytes } from "./storage-quota.ts";

/** The sweep has its own shard, so that no run waits for it. */
const sweepShard = -1;

/** Workspaces whose stored runs have more than this many bytes, with their bytes. */
export async function findLargestWorkspaces(
  db: Database,
  moreThan: number,
): Promise<{ id: string; bytes: number }[]> {
  const { rows } = await sql<{ id: string; bytes: number }>`
    select workspace_id as id, cast(sum(bytes) as bigint) as bytes from run_bytes
    group by workspace_id having sum(bytes) > ${moreThan}
  `.execute(db.kysely);
  return rows;
}

const bytesWithLog = sql.raw(`${ownBytes} + (select coalesce(sum(octet_length(body)), 0)
  from run_logs where run_logs.run_id = runs.id)`);

/** Selects the IDs of runs and their bytes, logs included. */
export function runSizes(db: Database) {
  return db.kysely.selectFrom("runs").select(["id", sql<number>`${bytesWithLog}`.as("bytes")]);
}

/**
 * Deletes runs that have ended, with the batches that have no other runs, and subtracts their bytes and those of their logs from
 * the sums. The logs remain.
 */
export function deleteRuns(db: Database, condition: RawBuilder<unknown>): CompiledQuery[] {
  const runs = deleteCounted(db, {
    deletion: sql`delete from runs where ${condition}`,
    deleted: sql`workspace_id, ${bytesWithLog} as bytes`,
    found: sql`select workspace_id, ${bytesWithLog} as bytes from runs where ${condition}`,
    sizes: (gone) => sql`select workspace_id, bytes from ${gone}`,
  });
  return [deleteBatches(condition).compile(db.kysely), ...runs];
}

/** Deletes the batches whose remaining runs all match a condition. */
function deleteBatches(condition: RawBuilder<unknown>) {
  return sql`delete from run_batches
    where id in (select batch_id from runs where (${condition}) and batch_id is not null)
      and not exists (select 1 from runs where runs.workspace_id = run_batches.workspace_id
        and runs.batch_id = run_batches.id and not (${condition}))`;
}

/** Deletes logs of runs that have ended, and subtracts their bytes from the sums if the runs still exist. */
export function deleteLogs(db: Database, condition: RawBuilder<unknown>): CompiledQuery[] {
  const columns = sql`run_id, octet_length(body) as bytes`;
  return deleteCounted(db, {
    deletion: sql`delete from run_logs where ${condition}`,
    deleted: columns,
    found: sql`select ${columns} from run_logs where ${condition}`,
    sizes: (gone) =>
      sql`select runs.workspace_id, gone.bytes from ${gone} join runs on runs.id = gone.run_id`,
  });
}

type Deletion = {
  deletion: RawBuilder<unknown>;
  /** Columns of the deleted rows. */
  deleted: RawBuilder<unknown>;
  /** Selects the same columns of the rows that will be deleted. */
  found: RawBuilder<unknown>;
  /** Selects workspaces and bytes from the deleted rows. */
  sizes: (gone: RawBuilder<unknown>) => RawBuilder<unknown>;
};

/**
 * On PostgreSQL one statement, so that two concurrent sweeps subtract each row once. SQLite cannot delete in a common table
 * expression, but has one writer.
 */
function deleteCounted(
  { dialect, kysely }: Database,
  { deletion, deleted, found, sizes }: Deletion,
): CompiledQuery[] {
  if (dialect === "sqlite") {
    const before = subtract(sizes(sql`(${found}) as gone`));
    return [before.compile(kysely), deletion.compile(kysely)];
  }
  const both = sql`with gone as (${deletion} returning ${deleted}) ${subtract(sizes(sql`gone`))}`;
  return [both.compile(kysely)];
}

/** Subtracts bytes from the sums; `rows` selects workspaces and bytes. */
function subtract(rows: RawBuilder<unknown>) {
  return sql`
    insert into run_bytes (workspace_id, shard, bytes)
    select workspace_id, ${sql.lit(sweepShard)}, cast(-sum(bytes) as bigint)
    from (${rows}) as sizes where true group by workspace_id
    on conflict (workspace_id, shard) do update set bytes = run_bytes.bytes + excluded.bytes`;
}
