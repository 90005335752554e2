import type { Kysely } from "kysely";

/** The files of messages in threads of the bot. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("chat_messages").addColumn("files", "text").execute();
}
