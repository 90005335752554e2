import type { CompiledQuery } from "kysely";
import type { Database, OAuthGrantTable, PreparedStatement, TransactionStep } from "#db";
import { allClientScopes } from "./resources.ts";
import type { ClientScope, ResourceName } from "./resources.ts";

/** Inserts a grant. The transaction rolls back if the user has one for the client in that workspace. */
export function insertGrant(db: Database, row: OAuthGrantTable): TransactionStep {
  const query = db.kysely
    .insertInto("oauth_grants")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["user_id", "workspace_id", "client_id"]).doNothing(),
    )
    .compile();
  return { query, mustChange: true };
}

/** Changes a grant. The transaction rolls back if its scopes were changed since it was read. */
export function changeGrant(
  db: Database,
  { id, scopes, rest_scopes: restScopes }: OAuthGrantTable,
  changes: Partial<OAuthGrantTable>,
): TransactionStep {
  const query = db.kysely
    .updateTable("oauth_grants")
    .set(changes)
    .where("id", "=", id)
    .where("scopes", "=", scopes)
    .where("rest_scopes", restScopes === null ? "is" : "=", restScopes)
    .compile();
  return { query, mustChange: true };
}

/** The scopes of the latest consent for a resource; none without a consent. */
export function scopesAt(
  grant: Pick<OAuthGrantTable, "scopes" | "rest_scopes">,
  resource: ResourceName,
): ClientScope[] {
  const stored = (resource === "mcp" ? grant.scopes : (grant.rest_scopes ?? "")).split(" ");
  return allClientScopes.filter((scope) => stored.includes(scope));
}

/** A user's grant to a client in a workspace. */
export async function findGrantOf(
  db: Database,
  of: { userId: string; workspaceId: string; clientId: string },
): Promise<OAuthGrantTable | undefined> {
  return db.kysely
    .selectFrom("oauth_grants")
    .selectAll()
    .where("user_id", "=", of.userId)
    .where("workspace_id", "=", of.workspaceId)
    .where("client_id", "=", of.clientId)
    .executeTakeFirst();
}

/** A grant whose user is still a member of its workspace, with their current role. */
export type LiveGrant = OAuthGrantTable & { role: string };

export async function findLiveGrant(db: Database, id: string): Promise<LiveGrant | undefined> {
  return db.kysely
    .selectFrom("oauth_grants as g")
    .innerJoin("members as m", (join) =>
      join.onRef("m.user_id", "=", "g.user_id").onRef("m.workspace_id", "=", "g.workspace_id"),
    )
    .selectAll("g")
    .select("m.role")
    .where("g.id", "=", id)
    .executeTakeFirst();
}

// SQLite replans a join for each value of a bare placeholder, but not for the result of a subquery.
const findByToken: PreparedStatement = {
  name: "find_access_token",
  text: `select r.payload, r.expires_at, g.id as grant_id, g.user_id, g.workspace_id, g.scopes, g.rest_scopes, m.role
    from oauth_records r
    join oauth_grants g on g.id = r.grant_id
    join members m on m.user_id = g.user_id and m.workspace_id = g.workspace_id
    where r.model = 'AccessToken' and r.id = (select ?)`,
};

/** An access token with its grant. Tokens of removed members are not found. */
export type FoundToken = {
  payload: string;
  expires_at: number;
  grant_id: string;
  user_id: string;
  workspace_id: string;
  /** The scopes of the latest consent for each resource. */
  scopes: OAuthGrantTable["scopes"];
  rest_scopes: OAuthGrantTable["rest_scopes"];
  role: string;
};

export async function findTokenByHash(db: Database, hash: string): Promise<FoundToken | undefined> {
  const [found] = await db.query<FoundToken>(findByToken, [hash]);
  return found;
}

/** The grants of a user or a workspace, newest first, with their users. */
export async function listGrants(
  db: Database,
  of: { userId: string } | { workspaceId: string },
  page: { limit: number; after: string | undefined },
): Promise<ListedGrant[]> {
  let query = db.kysely
    .selectFrom("oauth_grants as g")
    .innerJoin("users as u", "u.id", "g.user_id")
    .selectAll("g")
    .select(["u.name as user_name", "u.email as user_email"]);
  query =
    "userId" in of
      ? query.where("g.user_id", "=", of.userId)
      : query.where("g.workspace_id", "=", of.workspaceId);
  if (page.after !== undefined) query = query.where("g.id", "<", page.after);
  return query.orderBy("g.id", "desc").limit(page.limit).execute();
}

export type ListedGrant = OAuthGrantTable & { user_name: string; user_email: string };

export async function findGrantById(
  db: Database,
  id: string,
): Promise<OAuthGrantTable | undefined> {
  return db.kysely.selectFrom("oauth_grants").selectAll().where("id", "=", id).executeTakeFirst();
}

export function deleteGrant(db: Database, id: string): CompiledQuery {
  return db.kysely.deleteFrom("oauth_grants").where("id", "=", id).compile();
}
