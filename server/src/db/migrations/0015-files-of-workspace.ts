import type { Kysely } from "kysely";

/** How much a workspace keeps is told without a look at everybody's files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("files_of_workspace")
    .on("files")
    .columns(["workspace_id", "status"])
    .execute();
}
