import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Searches of workspaces that agreed to learn from them, and what became of each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("workspaces")
    .addColumn("learn_from_searches", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("tool_searches")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("terms", "text", (c) => c.notNull())
    .addColumn("words", "text", (c) => c.notNull())
    .addColumn("found", "text", (c) => c.notNull())
    .addColumn("outcome", "text", (c) => c.notNull())
    .addColumn("tool_id", "text")
    .execute();
  await db.schema
    .createIndex("tool_searches_of_user")
    .on("tool_searches")
    .columns(["workspace_id", "user_id", "id"])
    .execute();
  await db.schema
    .createIndex("tool_searches_pending")
    .on("tool_searches")
    .column("id")
    .where(sql.ref("outcome"), "=", sql.lit("pending"))
    .execute();
}
