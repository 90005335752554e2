import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * A person's grant to a client in a workspace becomes one. Of several, the newest consent counts: the others end with
 * all their tokens, for these may allow more than it does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const older = sql`select one.id from oauth_grants as one where exists (
    select 1 from oauth_grants as newer
    where newer.user_id = one.user_id and newer.client_id = one.client_id
      and newer.workspace_id = one.workspace_id
      and (newer.created_at > one.created_at or (newer.created_at = one.created_at and newer.id > one.id)))`;
  await sql`delete from oauth_records
    where grant_id in (${older}) or (model = 'Grant' and id in (${older}))`.execute(db);
  // A table that is being changed is read whole first, in both databases.
  await sql`delete from oauth_grants where id in (${older})`.execute(db);
  await db.schema
    .createIndex("oauth_grants_person_client")
    .unique()
    .on("oauth_grants")
    .columns(["user_id", "workspace_id", "client_id"])
    .execute();
  await db.schema
    .createIndex("oauth_grants_workspace")
    .on("oauth_grants")
    .columns(["workspace_id", "id"])
    .execute();
}
