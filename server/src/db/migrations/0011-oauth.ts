import { sql } from "kysely";
import type { Kysely } from "kysely";

/** What the authorization server keeps, and which client may act for whom in which workspace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("oauth_records")
    .addColumn("model", "text", (c) => c.notNull())
    // SHA-256 of the secret where the id is one.
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("payload", "text", (c) => c.notNull())
    .addColumn("grant_id", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("consumed_at", "bigint")
    .addColumn("expires_at", "bigint")
    .addPrimaryKeyConstraint("oauth_records_pk", ["model", "id"])
    .execute();
  await db.schema
    .createIndex("oauth_records_grant")
    .on("oauth_records")
    .column("grant_id")
    .where(sql.ref("grant_id"), "is not", null)
    .execute();
  await db.schema
    .createIndex("oauth_records_expiry")
    .on("oauth_records")
    .column("expires_at")
    .where(sql.ref("expires_at"), "is not", null)
    .execute();
  await db.schema
    .createTable("oauth_grants")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("client_id", "text", (c) => c.notNull())
    .addColumn("client_name", "text", (c) => c.notNull())
    .addColumn("client_uri", "text")
    .addColumn("scopes", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint")
    .execute();
  await db.schema
    .createIndex("oauth_grants_user")
    .on("oauth_grants")
    .columns(["user_id", "workspace_id", "id"])
    .execute();
}
