import type { Kysely } from "kysely";

/** Counts of a day, in a table that a crash of the database leaves as it was, unlike those of a minute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("quota_uses")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("points", "integer", (c) => c.notNull())
    .addColumn("expire", "bigint", (c) => c.notNull())
    .execute();
}
