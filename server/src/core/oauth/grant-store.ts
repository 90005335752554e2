import type { CompiledQuery } from "kysely";
import type { Database, OAuthGrantTable, PreparedStatement } from "#db";

export function insertGrant(db: Database, row: OAuthGrantTable): CompiledQuery {
  return db.kysely.insertInto("oauth_grants").values(row).compile();
}

/** A grant whose person is still a member of its workspace, with their role today. */
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

// SQLite plans a join anew for each value of a placeholder; of one that a query gives it knows none.
const findByToken: PreparedStatement = {
  name: "find_access_token",
  text: `select r.payload, r.expires_at, g.id as grant_id, g.user_id, g.workspace_id, g.client_id, m.role
    from oauth_records r
    join oauth_grants g on g.id = r.grant_id
    join members m on m.user_id = g.user_id and m.workspace_id = g.workspace_id
    where r.model = 'AccessToken' and r.id = (select ?)`,
};

/** An access token with its grant; a removed member's tokens are not found. */
export type FoundToken = {
  payload: string;
  expires_at: number;
  grant_id: string;
  user_id: string;
  workspace_id: string;
  client_id: string;
  role: string;
};

export async function findTokenByHash(db: Database, hash: string): Promise<FoundToken | undefined> {
  const [found] = await db.query<FoundToken>(findByToken, [hash]);
  return found;
}

/** A person's grants in all their workspaces or in one, newest first. */
export async function listGrants(
  db: Database,
  of: { userId: string; workspaceId?: string },
  page: { limit: number; after: string | undefined },
): Promise<OAuthGrantTable[]> {
  let query = db.kysely.selectFrom("oauth_grants").selectAll().where("user_id", "=", of.userId);
  if (of.workspaceId !== undefined) query = query.where("workspace_id", "=", of.workspaceId);
  if (page.after !== undefined) query = query.where("id", "<", page.after);
  return query.orderBy("id", "desc").limit(page.limit).execute();
}

export async function findGrant(
  db: Database,
  id: string,
  userId: string,
): Promise<OAuthGrantTable | undefined> {
  return db.kysely
    .selectFrom("oauth_grants")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

export async function findGrantById(
  db: Database,
  id: string,
): Promise<OAuthGrantTable | undefined> {
  return db.kysely.selectFrom("oauth_grants").selectAll().where("id", "=", id).executeTakeFirst();
}

export function deleteGrant(db: Database, id: string): CompiledQuery {
  return db.kysely.deleteFrom("oauth_grants").where("id", "=", id).compile();
}

export function setGrantUsed(db: Database, id: string, at: number): CompiledQuery {
  return db.kysely
    .updateTable("oauth_grants")
    .set({ last_used_at: at })
    .where("id", "=", id)
    .compile();
}
