import { sql } from "kysely";
import type { Kysely } from "kysely";

/** What old data leaves by, and indexes that keep lists fast among very many rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("task_locks")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("holder", "text", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await giveChainsABase(db);
  await indexLists(db);
}

/** Where a workspace's chain begins once its oldest events have left. */
async function giveChainsABase(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("audit_heads")
    .addColumn("base_sequence", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("audit_heads")
    .addColumn("base_hash", "text", (c) => c.notNull().defaultTo("0".repeat(64)))
    .execute();
}

async function indexLists(db: Kysely<unknown>): Promise<void> {
  // Else SQLite looks for a workspace's few runs under way among all that it ever had.
  await db.schema
    .createIndex("runs_under_way_list")
    .on("runs")
    .columns(["workspace_id", "id"])
    .where(sql.ref("status"), "=", sql.lit("running"))
    .execute();
  await db.schema
    .createIndex("runs_of_tool_gone_wrong")
    .on("runs")
    .columns(["workspace_id", "tool_name", "status", "id"])
    .where(sql.ref("status"), "in", sql`(${sql.lit("failed")}, ${sql.lit("cancelled")})`)
    .execute();
  await db.schema
    .createIndex("audit_events_of_actor")
    .on("audit_events")
    .columns(["workspace_id", "user_id", "id"])
    .execute();
  // Nearly every target is a run or a tool of one workspace, so that workspace need not be in it.
  await db.schema
    .createIndex("audit_events_of_target")
    .on("audit_events")
    .columns(["target", "id"])
    .execute();
  // Nearly every event is a run's. What is looked for by its action is one of the others.
  await db.schema
    .createIndex("audit_events_of_action")
    .on("audit_events")
    .columns(["workspace_id", "action", "id"])
    .where(sql.ref("action"), "<>", sql.lit("run.create"))
    .execute();
}
