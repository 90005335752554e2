import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Dialect } from "../database.ts";

/**
 * The audit events of runs wait without further indexes until they are sealed, and are then stored compressed, many in a row.
 * Events that were sealed before stay where they are.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const unsealed = db.schema
    .createTable("unsealed_run_events")
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("user_id", "text")
    .addColumn("via", "text", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("target", "text", (c) => c.notNull())
    .addColumn("outcome", "text", (c) => c.notNull())
    .addColumn("request_id", "text")
    .addColumn("ip", "text")
    .addColumn("details", "text", (c) => c.notNull())
    .addColumn("private_to", "text")
    .addPrimaryKeyConstraint("unsealed_run_events_key", ["workspace_id", "id"]);
  // One tree instead of two.
  await (dialect === "sqlite" ? unsealed.modifyEnd(sql`without rowid`) : unsealed).execute();
  await db.schema
    .createTable("audit_segments")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("first_sequence", "bigint", (c) => c.notNull())
    .addColumn("last_sequence", "bigint", (c) => c.notNull())
    .addColumn("first_id", "text", (c) => c.notNull())
    .addColumn("last_id", "text", (c) => c.notNull())
    .addColumn("first_at", "bigint", (c) => c.notNull())
    .addColumn("last_at", "bigint", (c) => c.notNull())
    .addColumn("event_count", "integer", (c) => c.notNull())
    .addColumn("body", dialect === "postgres" ? "bytea" : "blob", (c) => c.notNull())
    .addPrimaryKeyConstraint("audit_segments_key", ["workspace_id", "last_sequence"])
    .execute();
  for (const columns of [
    ["last_id", "first_id"],
    ["first_id", "last_id"],
  ]) {
    await db.schema
      .createIndex(`audit_segments_${columns[0]}`)
      .on("audit_segments")
      .columns(["workspace_id", ...columns])
      .execute();
  }
}
