import type { Kysely } from "kysely";

/** Figures of runs by hour, and the hours that have them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("run_stats")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("hour", "bigint", (c) => c.notNull())
    .addColumn("tool_id", "text", (c) => c.notNull())
    .addColumn("tool_name", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("client", "text", (c) => c.notNull())
    .addColumn("is_private", "integer", (c) => c.notNull())
    .addColumn("completed", "integer", (c) => c.notNull())
    .addColumn("failed", "integer", (c) => c.notNull())
    .addColumn("cancelled", "integer", (c) => c.notNull())
    .addColumn("durations", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("run_stats_key", [
      "workspace_id",
      "hour",
      "tool_id",
      "user_id",
      "client",
      "is_private",
    ])
    .execute();
  await db.schema.createIndex("run_stats_hour").on("run_stats").column("hour").execute();
  await db.schema
    .createTable("run_stats_hours")
    .addColumn("hour", "bigint", (c) => c.primaryKey())
    .addColumn("unfinished", "integer", (c) => c.notNull())
    .addColumn("counted_at", "bigint", (c) => c.notNull())
    .execute();
}
