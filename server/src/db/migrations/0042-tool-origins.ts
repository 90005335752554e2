import type { Kysely } from "kysely";
import { sql } from "kysely";

/** Who archived a tool, and the draft that a tool was first published from, whose runs show the title of the tool. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("tools").addColumn("archived_by", "text").execute();
  await db.schema.alterTable("tools").addColumn("draft_id", "text").execute();
  await db.schema
    .createIndex("tools_of_draft")
    .on("tools")
    .columns(["workspace_id", "draft_id"])
    .where(sql.ref("draft_id"), "is not", sql.lit(null))
    .execute();
}
