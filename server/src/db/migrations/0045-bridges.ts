import type { Kysely } from "kysely";

/** Bridges to MCP servers on users' machines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("bridges")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("seen_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("bridges_name")
    .unique()
    .on("bridges")
    .columns(["workspace_id", "user_id", "name"])
    .execute();
}
