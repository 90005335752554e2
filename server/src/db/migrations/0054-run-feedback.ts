import type { Kysely } from "kysely";

/** How users rate the results of their runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("runs").addColumn("feedback", "text").execute();
}
