import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Batches of runs, and indexes of the queue: runs that belong to no batch go first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("run_batches")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("tool_name", "text", (c) => c.notNull())
    .addColumn("total", "integer", (c) => c.notNull())
    .addColumn("is_cancelled", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("run_batches_workspace")
    .on("run_batches")
    .columns(["workspace_id", "id"])
    .execute();
  await db.schema.alterTable("runs").addColumn("batch_id", "text").execute();
  await db.schema
    .createIndex("runs_of_batch")
    .on("runs")
    .columns(["workspace_id", "batch_id", "id"])
    .where(sql.ref("batch_id"), "is not", null)
    .execute();
  await db.schema
    .createIndex("runs_queue_single")
    .on("runs")
    .columns(["workspace_id", "id"])
    .where(sql.ref("status"), "=", sql.lit("running"))
    .where(sql.ref("queued"), "=", sql.lit(1))
    .where(sql.ref("batch_id"), "is", null)
    .execute();
  await db.schema
    .createIndex("runs_queue_batches")
    .on("runs")
    .columns(["workspace_id", "id"])
    .where(sql.ref("status"), "=", sql.lit("running"))
    .where(sql.ref("queued"), "=", sql.lit(1))
    .where(sql.ref("batch_id"), "is not", null)
    .execute();
}
