import type { Kysely } from "kysely";

/**
 * A grant's scopes at the REST API beside those at the MCP endpoint, and the resource of each token. Earlier versions know the MCP
 * endpoint only, so `scopes` holds its scopes, and a token without a resource is for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("oauth_grants").addColumn("rest_scopes", "text").execute();
  await db.schema.alterTable("oauth_records").addColumn("resource", "text").execute();
}
