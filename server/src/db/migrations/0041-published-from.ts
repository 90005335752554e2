import type { Kysely } from "kysely";

/** The Git commit and folder that a tool was last published from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("tools").addColumn("published_from", "text").execute();
}
