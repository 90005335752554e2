import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Teams of chat platforms that are connected to workspaces, and what goes on in them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createConnections(db);
  await createLinks(db);
  await createInbox(db);
  await createTranscripts(db);
  await createQuestions(db);
  await createDeliveries(db);
}

async function createConnections(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("chat_connections")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("platform", "text", (c) => c.notNull())
    .addColumn("team_id", "text", (c) => c.notNull())
    .addColumn("team_name", "text", (c) => c.notNull())
    .addColumn("bot_user_id", "text", (c) => c.notNull())
    .addColumn("scopes", "text", (c) => c.notNull())
    .addColumn("sealed_value", "text")
    .addColumn("wrapped_key", "text")
    .addColumn("key_id", "text")
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("problem", "text")
    .addColumn("link_by_email", "integer", (c) => c.notNull())
    .addColumn("connected_by", "text", (c) => c.notNull())
    .addColumn("connected_at", "bigint", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("chat_connections_team", ["platform", "team_id"])
    .execute();
  await db.schema
    .createIndex("chat_connections_workspace")
    .on("chat_connections")
    .columns(["workspace_id", "id"])
    .execute();
  await db.schema
    .createTable("chat_attempts")
    .addColumn("ticket_hash", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("platform", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("state_hash", "text", (c) => c.unique())
    .addColumn("browser_hash", "text")
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("chat_attempts_expires_at")
    .on("chat_attempts")
    .column("expires_at")
    .execute();
}

async function createLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("chat_links")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("connection_id", "text", (c) =>
      c.notNull().references("chat_connections.id").onDelete("cascade"),
    )
    .addColumn("chat_user_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text")
    .addColumn("how", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("chat_links_chat_user", ["connection_id", "chat_user_id"])
    .execute();
  await db.schema
    .createIndex("chat_links_person")
    .on("chat_links")
    .columns(["user_id", "id"])
    .execute();
  await db.schema
    .createTable("chat_link_tokens")
    .addColumn("token_hash", "text", (c) => c.primaryKey())
    .addColumn("connection_id", "text", (c) =>
      c.notNull().references("chat_connections.id").onDelete("cascade"),
    )
    .addColumn("chat_user_id", "text", (c) => c.notNull())
    .addColumn("chat_user_name", "text", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("chat_link_tokens_expires_at")
    .on("chat_link_tokens")
    .column("expires_at")
    .execute();
}

/** What is in the inbox outlives its connection, so that what is delivered again is known. */
async function createInbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("chat_inbox")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("connection_id", "text", (c) => c.notNull())
    .addColumn("platform", "text", (c) => c.notNull())
    .addColumn("team_id", "text", (c) => c.notNull())
    .addColumn("event_id", "text", (c) => c.notNull())
    .addColumn("message_key", "text")
    .addColumn("thread_key", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("payload", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("node_id", "text", (c) => c.notNull())
    .addColumn("lease_until", "bigint")
    .addColumn("run_after", "bigint", (c) => c.notNull())
    .addColumn("acknowledged", "integer", (c) => c.notNull())
    .addColumn("reply_id", "text")
    .addColumn("problem", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("finished_at", "bigint")
    .addUniqueConstraint("chat_inbox_event", ["platform", "event_id"])
    .execute();
  await db.schema
    .createIndex("chat_inbox_message")
    .unique()
    .on("chat_inbox")
    .columns(["platform", "team_id", "message_key"])
    .where(sql.ref("message_key"), "is not", null)
    .execute();
  await db.schema
    .createIndex("chat_inbox_at_work")
    .unique()
    .on("chat_inbox")
    .column("thread_key")
    .where(sql.ref("status"), "=", sql.lit("running"))
    .execute();
  await db.schema
    .createIndex("chat_inbox_line")
    .on("chat_inbox")
    .columns(["thread_key", "id"])
    .where(sql.ref("status"), "=", sql.lit("queued"))
    .execute();
  await db.schema
    .createIndex("chat_inbox_queue")
    .on("chat_inbox")
    .columns(["status", "id"])
    .execute();
  await db.schema
    .createIndex("chat_inbox_dead")
    .on("chat_inbox")
    .columns(["workspace_id", "id"])
    .where(sql.ref("status"), "=", sql.lit("dead"))
    .execute();
}

async function createTranscripts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("chat_threads")
    .addColumn("connection_id", "text", (c) =>
      c.notNull().references("chat_connections.id").onDelete("cascade"),
    )
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("thread", "text", (c) => c.notNull())
    .addColumn("is_read", "integer", (c) => c.notNull())
    .addColumn("used_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("chat_threads_key", ["connection_id", "channel", "thread"])
    .execute();
  await db.schema
    .createIndex("chat_threads_used_at")
    .on("chat_threads")
    .column("used_at")
    .execute();
  await db.schema
    .createTable("chat_messages")
    .addColumn("connection_id", "text", (c) => c.notNull())
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("thread", "text", (c) => c.notNull())
    .addColumn("message_id", "text", (c) => c.notNull())
    .addColumn("author", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("chat_messages_key", [
      "connection_id",
      "channel",
      "thread",
      "message_id",
    ])
    .addForeignKeyConstraint(
      "chat_messages_thread",
      ["connection_id", "channel", "thread"],
      "chat_threads",
      ["connection_id", "channel", "thread"],
      (c) => c.onDelete("cascade"),
    )
    .execute();
}

async function createQuestions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("chat_questions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("connection_id", "text", (c) =>
      c.notNull().references("chat_connections.id").onDelete("cascade"),
    )
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("thread", "text", (c) => c.notNull())
    .addColumn("chat_user_id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("sealed_subject", "text", (c) => c.notNull())
    .addColumn("message_id", "text")
    .addColumn("answered_at", "bigint")
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("chat_questions_expires_at")
    .on("chat_questions")
    .column("expires_at")
    .execute();
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("chat_deliveries")
    .addColumn("run_id", "text", (c) => c.primaryKey())
    .addColumn("connection_id", "text", (c) =>
      c.notNull().references("chat_connections.id").onDelete("cascade"),
    )
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("thread", "text", (c) => c.notNull())
    .addColumn("chat_user_id", "text", (c) => c.notNull())
    .addColumn("message_id", "text", (c) => c.notNull())
    .addColumn("shown", "text")
    .addColumn("shown_at", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
}
