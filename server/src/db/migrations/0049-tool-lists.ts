import type { Kysely } from "kysely";

/** Tags of tools, preferences of users, and requests for credentials. All belong to a workspace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("tool_tags")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("tool_id", "text", (c) => c.notNull())
    .addColumn("tag", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("tool_tags_key", ["workspace_id", "tool_id", "tag"])
    .execute();
  await db.schema
    .createTable("user_preferences")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("preferences", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("user_preferences_key", ["workspace_id", "user_id"])
    .execute();
  await db.schema
    .createTable("credential_requests")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("tool_id", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("credential_requests_of_user", ["workspace_id", "user_id", "tool_id"])
    .execute();
}
