import type { Kysely } from "kysely";

/** Tools that a user no longer wants to confirm in chats, and a user's open questions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("always_allowed_tools")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("tool_id", "text", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("code_hash", "text", (c) => c.notNull())
    .addColumn("needs", "text", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("always_allowed_tools_key", ["workspace_id", "user_id", "tool_id"])
    .execute();
  // Archived tools are deleted with the rows of all workspaces.
  await db.schema
    .createIndex("always_allowed_tools_of_tool")
    .on("always_allowed_tools")
    .column("tool_id")
    .execute();
  await db.schema
    .createIndex("chat_questions_of_user")
    .on("chat_questions")
    .columns(["connection_id", "chat_user_id", "expires_at"])
    .execute();
}
