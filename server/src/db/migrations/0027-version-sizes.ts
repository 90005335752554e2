import { sql } from "kysely";
import type { Kysely } from "kysely";

/** The bytes of each version's texts, and an index from which a workspace's sum is read without its rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("tool_versions")
    .addColumn("size", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update tool_versions set size = octet_length(title) + octet_length(description)
    + octet_length(definition) + octet_length(source) + octet_length(bundle)
    + octet_length(source_map)`.execute(db);
  await db.schema
    .createIndex("tool_versions_sizes")
    .on("tool_versions")
    .columns(["workspace_id", "size"])
    .execute();
}
