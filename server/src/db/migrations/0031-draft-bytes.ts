import type { Kysely } from "kysely";

/** An index for the bytes of a workspace's builds of drafts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("draft_versions_of_workspace")
    .on("draft_versions")
    .column("workspace_id")
    .execute();
}
