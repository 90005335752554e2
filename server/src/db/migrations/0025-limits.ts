import type { Kysely } from "kysely";

/** Indexes for counting what a person or workspace has, when something more is created. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("api_keys_person")
    .on("api_keys")
    .columns(["user_id", "revoked_at"])
    .execute();
  await db.schema.createIndex("drafts_person").on("drafts").column("user_id").execute();
  await db.schema
    .createIndex("credentials_owner")
    .on("credentials")
    .column("owner_user_id")
    .execute();
  await db.schema
    .createIndex("connection_attempts_person")
    .on("connection_attempts")
    .columns(["user_id", "expires_at"])
    .execute();
  await db.schema
    .createIndex("oauth_grants_client")
    .on("oauth_grants")
    .column("client_id")
    .execute();
  // The size is in the index, so that the sum of a workspace's files reads no rows.
  await db.schema
    .createIndex("files_sizes")
    .on("files")
    .columns(["workspace_id", "size"])
    .execute();
}
