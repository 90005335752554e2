import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Database, Insert, SqlValue } from "#db";
import type { LogChunk } from "./run-log.ts";

/** Bytes of a run's own row. Neither database reads a long text for its length. */
export const ownBytes =
  "octet_length(input) + coalesce(octet_length(output), 0) + coalesce(octet_length(error), 0)";

const logBytes =
  "coalesce(sum(octet_length(body)), 0) from run_logs where run_id = ? and chunk <> ?";

/**
 * Counts a run's bytes in the write that ends it; `guard` is that run. Its last chunk of log comes with the same write,
 * so its size is a value and any earlier try to store it is left out.
 */
export const newRunBytes = {
  table: "run_bytes",
  columns: [
    "workspace_id",
    "shard",
    {
      name: "bytes",
      postgres: `(select bytes from guard where id = ?) + ?::bigint + (select ${logBytes})::bigint`,
      sqlite: `(select ${ownBytes} from runs where id = ?) + ? + (select ${logBytes})`,
    },
  ],
  addTo: { key: ["workspace_id", "shard"], column: "bytes" },
} as const satisfies Insert;

/** Runs of a workspace that end at the same time wait for each other only when they take the same shard. */
const shards = 16;
/** The sweep has its own, so that no run waits for it. */
const sweepShard = -1;

/** Values for {@link newRunBytes}. */
export function newRunBytesValues(
  { dialect }: Database,
  workspaceId: string,
  runId: string,
  log: LogChunk | undefined,
): SqlValue[] {
  const shard = dialect === "sqlite" ? 0 : randomInt(shards);
  return [workspaceId, shard, runId, log?.body.length ?? 0, runId, log?.chunk ?? -1];
}

/** The bytes of a workspace's runs that have ended. */
export async function sumRunBytes(db: Database, workspaceId: string): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sumBytes, [workspaceId]);
  return row?.bytes ?? 0;
}

const sumBytes = {
  name: "sum_run_bytes",
  text: `select cast(coalesce(sum(bytes), 0) as bigint) as bytes from run_bytes where workspace_id = ?`,
};

/** Workspaces whose runs have more than so many bytes, with those bytes. */
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

/** Selects the id and the bytes of runs, their logs included. */
export function runSizes(db: Database) {
  return db.kysely.selectFrom("runs").select(["id", sql<number>`${bytesWithLog}`.as("bytes")]);
}

/** Deletes runs, all of which have ended, and takes their bytes and those of their logs off the sums. Their logs stay. */
export function deleteRuns(db: Database, condition: RawBuilder<unknown>): CompiledQuery[] {
  return deleteCounted(db, {
    deletion: sql`delete from runs where ${condition}`,
    deleted: sql`workspace_id, ${bytesWithLog} as bytes`,
    found: sql`select workspace_id, ${bytesWithLog} as bytes from runs where ${condition}`,
    sizes: (gone) => sql`select workspace_id, bytes from ${gone}`,
  });
}

/** Deletes logs, all of runs that have ended, and takes their bytes off the sums, if their runs still are there. */
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
  /** Selects the same of the rows that will be deleted. */
  found: RawBuilder<unknown>;
  /** Selects workspaces and bytes from those. */
  sizes: (gone: RawBuilder<unknown>) => RawBuilder<unknown>;
};

/**
 * On PostgreSQL one statement, so that two sweeps at once subtract each row once; SQLite deletes in no part of a
 * statement, but has one writer.
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

/** Takes bytes off the sums; `rows` selects workspaces and bytes. */
function subtract(rows: RawBuilder<unknown>) {
  return sql`
    insert into run_bytes (workspace_id, shard, bytes)
    select workspace_id, ${sql.lit(sweepShard)}, cast(-sum(bytes) as bigint)
    from (${rows}) as sizes where true group by workspace_id
    on conflict (workspace_id, shard) do update set bytes = run_bytes.bytes + excluded.bytes`;
}
