import type { Kysely } from "kysely";

/** Messages that reached one node and are for a stream that another holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("relayed_messages")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("address", "text", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("relayed_messages_address")
    .on("relayed_messages")
    .column("address")
    .execute();
}
