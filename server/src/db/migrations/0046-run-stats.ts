import type { Kysely } from "kysely";

/** Figures of runs by hour, and the hours that have them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("run_stats")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("hour", "bigint", (c) => c.notNull())
    .addColumn("tool_id", "text", (c) => c.notNull())
    .addColumn("private_to", "text", (c) => c.notNull())
    .addColumn("tool_name", "text", (c) => c.notNull())
    .addColumn("completed", "integer", (c) => c.notNull())
    .addColumn("failed", "integer", (c) => c.notNull())
    .addColumn("cancelled", "integer", (c) => c.notNull())
    .addColumn("durations", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("run_stats_key", ["workspace_id", "hour", "tool_id", "private_to"])
    .execute();
  await db.schema.createIndex("run_stats_hour").on("run_stats").column("hour").execute();
  await createUsage(db, "run_usage", "hour");
  await createUsage(db, "run_usage_days", "day");
  await db.schema
    .createTable("run_stats_hours")
    .addColumn("hour", "bigint", (c) => c.primaryKey())
    .addColumn("unfinished", "integer", (c) => c.notNull())
    .addColumn("counted_at", "bigint", (c) => c.notNull())
    .execute();
}

async function createUsage(db: Kysely<unknown>, table: string, period: string): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn(period, "bigint", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("client", "text", (c) => c.notNull())
    .addColumn("tool_id", "text", (c) => c.notNull())
    .addColumn("private_to", "text", (c) => c.notNull())
    .addColumn("tool_name", "text", (c) => c.notNull())
    .addColumn("runs", "integer", (c) => c.notNull())
    .addColumn("failed", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint(`${table}_key`, [
      "workspace_id",
      period,
      "user_id",
      "client",
      "tool_id",
      "private_to",
    ])
    .execute();
  await db.schema.createIndex(`${table}_${period}`).on(table).column(period).execute();
}
