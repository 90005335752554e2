import type { Kysely } from "kysely";

/** What an import generated, to merge later edits with its changes; and titles that users gave imports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("tool_imports").addColumn("generated", "text").execute();
  await db.schema.alterTable("drafts").addColumn("generated", "text").execute();
  await db.schema.alterTable("imports").addColumn("custom_title", "text").execute();
}
