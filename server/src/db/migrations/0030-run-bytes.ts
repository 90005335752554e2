import { sql } from "kysely";
import type { Kysely } from "kysely";

/** The bytes of each workspace's runs that have ended, as a sum over several rows so that runs that end together wait less. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("run_bytes")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("shard", "integer", (c) => c.notNull())
    .addColumn("bytes", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("run_bytes_key", ["workspace_id", "shard"])
    .execute();
  await sql`insert into run_bytes (workspace_id, shard, bytes)
    select workspace_id, 0, cast(sum(bytes) as bigint) from (
      select workspace_id,
        octet_length(input) + coalesce(octet_length(output), 0) + coalesce(octet_length(error), 0) as bytes
      from runs where status <> 'running'
      union all
      select runs.workspace_id, octet_length(run_logs.body) as bytes
      from run_logs join runs on runs.id = run_logs.run_id where runs.status <> 'running'
    ) as stored group by workspace_id`.execute(db);
}
