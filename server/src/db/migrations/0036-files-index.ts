import type { Kysely } from "kysely";

/** For the list of a workspace's files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("files_workspace")
    .on("files")
    .columns(["workspace_id", "id"])
    .execute();
}
