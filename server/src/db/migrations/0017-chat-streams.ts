import type { Kysely } from "kysely";

/** Connections to chat platforms that stay open, each kept by one node for all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("chat_streams")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("platform", "text", (c) => c.notNull())
    .addColumn("holder", "text", (c) => c.notNull())
    .addColumn("held_until", "bigint", (c) => c.notNull())
    .addColumn("sealed_position", "text")
    .addColumn("problem", "text")
    .execute();
}
