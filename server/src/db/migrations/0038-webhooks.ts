import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Webhooks, and the deliveries of their events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhooks")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("events", "text", (c) => c.notNull())
    .addColumn("tools", "text")
    .addColumn("include_output", "integer", (c) => c.notNull())
    .addColumn("enabled", "integer", (c) => c.notNull())
    .addColumn("disabled_reason", "text")
    .addColumn("sealed_value", "text", (c) => c.notNull())
    .addColumn("wrapped_key", "text", (c) => c.notNull())
    .addColumn("key_id", "text", (c) => c.notNull())
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("failing_since", "bigint")
    .addColumn("paused_until", "bigint", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("webhooks_of_workspace")
    .on("webhooks")
    .columns(["workspace_id", "id"])
    .execute();
  await createDeliveries(db);
}

/** A delivery outlives its webhook until a task deletes it, so that deleting a webhook is one small write. */
async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhook_deliveries")
    .addColumn("webhook_id", "text", (c) => c.notNull())
    .addColumn("event_id", "text", (c) => c.notNull())
    .addColumn("run_id", "text", (c) => c.notNull())
    .addColumn("tool_name", "text", (c) => c.notNull())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("uncounted_attempts", "integer", (c) => c.notNull())
    .addColumn("due_at", "bigint", (c) => c.notNull())
    .addColumn("attempted_at", "bigint")
    .addColumn("status", "integer")
    .addColumn("problem", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("finished_at", "bigint")
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("webhook_deliveries_key", ["webhook_id", "event_id"])
    .execute();
  await db.schema
    .createIndex("webhook_deliveries_due")
    .on("webhook_deliveries")
    .columns(["webhook_id", "due_at"])
    .where(sql.ref("state"), "=", sql.lit("pending"))
    .execute();
  await db.schema
    .createIndex("webhook_deliveries_dead")
    .on("webhook_deliveries")
    .columns(["webhook_id", "event_id"])
    .where(sql.ref("state"), "=", sql.lit("dead"))
    .execute();
  await db.schema
    .createIndex("webhook_deliveries_by_state")
    .on("webhook_deliveries")
    .columns(["webhook_id", "state", "event_id"])
    .execute();
  await db.schema
    .createIndex("webhook_deliveries_expires_at")
    .on("webhook_deliveries")
    .column("expires_at")
    .execute();
}
