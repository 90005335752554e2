import type { CompiledQuery } from "kysely";
import type { ApiKeyTable, Database, PreparedStatement } from "#db";

const findByHash: PreparedStatement = {
  name: "find_api_key",
  text: `select k.id, k.workspace_id, k.user_id, k.scopes, k.expires_at, m.role
    from api_keys k
    join members m on m.user_id = k.user_id and m.workspace_id = k.workspace_id
    where k.key_hash = ? and k.revoked_at is null`,
};

/** A key that is not revoked, with its owner's role today: a removed member's keys are not found. */
export type FoundKey = Pick<
  ApiKeyTable,
  "id" | "workspace_id" | "user_id" | "scopes" | "expires_at"
> & { role: string };

export async function findKeyByHash(db: Database, hash: string): Promise<FoundKey | undefined> {
  const [found] = await db.query<FoundKey>(findByHash, [hash]);
  return found;
}

export function insertKey(db: Database, row: ApiKeyTable): CompiledQuery {
  return db.kysely.insertInto("api_keys").values(row).compile();
}

export async function listKeys(
  db: Database,
  workspaceId: string,
  userId: string,
  page: { limit: number; after: string | undefined },
): Promise<ApiKeyTable[]> {
  let query = db.kysely
    .selectFrom("api_keys")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null);
  if (page.after !== undefined) query = query.where("id", "<", page.after);
  return query.orderBy("id", "desc").limit(page.limit).execute();
}

export function revokeKey(
  db: Database,
  key: { id: string; workspaceId: string; userId: string; now: number },
): CompiledQuery {
  return db.kysely
    .updateTable("api_keys")
    .set({ revoked_at: key.now })
    .where("id", "=", key.id)
    .where("workspace_id", "=", key.workspaceId)
    .where("user_id", "=", key.userId)
    .where("revoked_at", "is", null)
    .compile();
}

export function setLastUsed(db: Database, id: string, at: number): CompiledQuery {
  return db.kysely.updateTable("api_keys").set({ last_used_at: at }).where("id", "=", id).compile();
}
