import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Which run asked for a run, where a tool did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("runs").addColumn("parent_run_id", "text").execute();
  // Most runs have no parent, and take no room in it.
  await db.schema
    .createIndex("runs_of_parent")
    .on("runs")
    .columns(["workspace_id", "parent_run_id", "id"])
    .where(sql.ref("parent_run_id"), "is not", sql.lit(null))
    .execute();
}
