import type { Kysely } from "kysely";
import type { Dialect } from "../database.ts";

/** What the texts of tools mean to a model, for search by meaning. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable("tool_embeddings")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("model", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("vector", dialect === "postgres" ? "bytea" : "blob", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("tool_embeddings_key", ["workspace_id", "hash", "model"])
    .execute();
}
