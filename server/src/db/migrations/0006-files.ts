import type { Kysely } from "kysely";

/** Files that people upload and tools save; their bytes are in the file storage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("files")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("run_id", "text")
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("mime_type", "text", (c) => c.notNull())
    .addColumn("image_type", "text")
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("sha256", "text")
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("token_hash", "text", (c) => c.unique())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("files_expires_at").on("files").column("expires_at").execute();
}
