import type { Kysely } from "kysely";

/** What an admin lets be tried again has all its attempts before it, while their number goes on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("chat_inbox")
    .addColumn("uncounted_attempts", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
