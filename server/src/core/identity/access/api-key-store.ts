import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { capSteps } from "#core/limits";
import type { BaseContext } from "#core/kernel";
import { queryCached } from "#db";
import type { ApiKeyTable, Database, PreparedStatement, TransactionStep } from "#db";

// Not a join, because SQLite plans a join on a placeholder again for each execution, which costs more than the look-up.
const findByHash: PreparedStatement = {
  name: "find_api_key",
  text: `select k.id, k.workspace_id, k.user_id, k.scopes, k.expires_at,
      (select m.role from members m
        where m.user_id = k.user_id and m.workspace_id = k.workspace_id) as role
    from api_keys k
    where k.key_hash = ? and k.revoked_at is null`,
};

/** A key that is not revoked, with its owner's current role. The role is null if the owner is no longer a member. */
export type FoundKey = Pick<
  ApiKeyTable,
  "id" | "workspace_id" | "user_id" | "scopes" | "expires_at"
> & { role: string | null };

export async function findKeyByHash(
  db: Database,
  hash: string,
): Promise<Readonly<FoundKey> | undefined> {
  const [found] = await queryCached<FoundKey>(db, findByHash, [hash]);
  return found;
}

/** Inserts a key. Throws `quota_exceeded` if the user or the workspace has reached its limit. */
export function insertKey(
  context: Pick<BaseContext, "config" | "db">,
  row: ApiKeyTable,
): TransactionStep[] {
  const { user_id: userId, workspace_id: workspaceId, created_at: now } = row;
  const usable = sql`revoked_at is null and (expires_at is null or expires_at > ${now})`;
  return [
    ...capSteps(context, "user-api-keys", {
      subject: userId,
      existing: sql`select 1 from api_keys where user_id = ${userId} and ${usable}`,
    }),
    ...capSteps(context, "workspace-api-keys", {
      subject: workspaceId,
      existing: sql`select 1 from api_keys where workspace_id = ${workspaceId} and ${usable}`,
    }),
    context.db.kysely.insertInto("api_keys").values(row).compile(),
  ];
}

/** Keys that are not revoked, newest first: of one user, or of the whole workspace. */
export async function listKeys(
  db: Database,
  { workspaceId, userId }: { workspaceId: string; userId: string | undefined },
  page: { limit: number; after: string | undefined },
): Promise<ApiKeyTable[]> {
  let query = db.kysely
    .selectFrom("api_keys")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("revoked_at", "is", null);
  if (userId !== undefined) query = query.where("user_id", "=", userId);
  if (page.after !== undefined) query = query.where("id", "<", page.after);
  return query.orderBy("id", "desc").limit(page.limit).execute();
}

/** A key of a workspace that is not revoked. With `userId`, only if it belongs to that user. */
export async function findKey(
  db: Database,
  key: { id: string; workspaceId: string; userId: string | undefined },
): Promise<Pick<ApiKeyTable, "name" | "user_id"> | undefined> {
  let query = db.kysely
    .selectFrom("api_keys")
    .select(["name", "user_id"])
    .where("id", "=", key.id)
    .where("workspace_id", "=", key.workspaceId)
    .where("revoked_at", "is", null);
  if (key.userId !== undefined) query = query.where("user_id", "=", key.userId);
  return query.executeTakeFirst();
}

/** Revokes a key of a workspace. With `userId`, only if it belongs to that user. */
export function revokeKey(
  db: Database,
  key: { id: string; workspaceId: string; userId: string | undefined; now: number },
): CompiledQuery {
  let query = db.kysely
    .updateTable("api_keys")
    .set({ revoked_at: key.now })
    .where("id", "=", key.id)
    .where("workspace_id", "=", key.workspaceId)
    .where("revoked_at", "is", null);
  if (key.userId !== undefined) query = query.where("user_id", "=", key.userId);
  return query.compile();
}
