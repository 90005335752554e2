import type { Kysely } from "kysely";

/** Why something from a chat failed is kept for programs too, and not in words alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("chat_inbox").addColumn("problem_kind", "text").execute();
}
