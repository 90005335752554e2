import type { Kysely } from "kysely";

/** Secrets that tools use and never see. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("credentials")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    // Empty for one that the whole workspace shares, so that the name is unique there too.
    .addColumn("owner_user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("hosts", "text", (c) => c.notNull())
    .addColumn("sealed_value", "text", (c) => c.notNull())
    .addColumn("wrapped_key", "text", (c) => c.notNull())
    .addColumn("key_id", "text", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint")
    .addUniqueConstraint("credentials_name", ["workspace_id", "owner_user_id", "name"])
    .execute();
}
