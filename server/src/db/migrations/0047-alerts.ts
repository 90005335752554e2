import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Alerts, what they reported, and the deliveries of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("alerts")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("tool_name", "text")
    .addColumn("condition", "text", (c) => c.notNull())
    .addColumn("notify", "text", (c) => c.notNull())
    .addColumn("quiet_hours", "text")
    .addColumn("enabled", "integer", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("state_since", "bigint", (c) => c.notNull())
    .addColumn("subjects", "text", (c) => c.notNull())
    .addColumn("summary", "text")
    .addColumn("problem", "text")
    .addColumn("checked_at", "bigint")
    .addColumn("next_check_at", "bigint")
    .addColumn("revision", "integer", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("alerts_of_workspace")
    .on("alerts")
    .columns(["workspace_id", "id"])
    .execute();
  await db.schema
    .createIndex("alerts_due")
    .on("alerts")
    .column("next_check_at")
    .where(sql.ref("next_check_at"), "is not", null)
    .execute();
  await createEvents(db);
  // The body of an event that is not the end of a run.
  await db.schema.alterTable("webhook_deliveries").addColumn("payload", "text").execute();
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("alert_events")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("alert_id", "text", (c) => c.notNull())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("summary", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("alert_events_of_alert")
    .on("alert_events")
    .columns(["alert_id", "id"])
    .execute();
  await db.schema
    .createTable("alert_deliveries")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("event_id", "text", (c) => c.notNull())
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("target", "text", (c) => c.notNull())
    .addColumn("connection_id", "text")
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("due_at", "bigint", (c) => c.notNull())
    .addColumn("problem", "text")
    .addColumn("finished_at", "bigint")
    .execute();
  await db.schema
    .createIndex("alert_deliveries_of_event")
    .on("alert_deliveries")
    .column("event_id")
    .execute();
  await db.schema
    .createIndex("alert_deliveries_due")
    .on("alert_deliveries")
    .column("due_at")
    .where(sql.ref("state"), "=", sql.lit("pending"))
    .execute();
}
