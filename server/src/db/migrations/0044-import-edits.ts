import type { Kysely } from "kysely";

/** What an import generated, to merge later edits with its changes; titles that users gave imports; and the hashes of items alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("tool_imports").addColumn("generated", "text").execute();
  await db.schema.alterTable("drafts").addColumn("generated", "text").execute();
  await db.schema.alterTable("imports").addColumn("custom_title", "text").execute();
  await db.schema.alterTable("imports").addColumn("item_hashes", "text").execute();
}
