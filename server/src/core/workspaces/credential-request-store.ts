import type { CompiledQuery } from "kysely";
import type { CredentialRequestTable, Database } from "#db";

type User = { workspaceId: string; userId: string };

/** A request with the user and the tool. */
export type RequestRow = CredentialRequestTable & {
  user_name: string;
  user_email: string;
  tool_name: string;
  tool_title: string;
};

/** Pending requests of a workspace, newest first; of one user if given. */
export async function findRequests(
  db: Database,
  { workspaceId, userId }: { workspaceId: string; userId: string | undefined },
  { since, limit }: { since: number; limit: number },
): Promise<RequestRow[]> {
  let query = db.kysely
    .selectFrom("credential_requests")
    .innerJoin("users", "users.id", "credential_requests.user_id")
    .innerJoin("tools", "tools.id", "credential_requests.tool_id")
    .innerJoin("tool_versions", (join) =>
      join
        .onRef("tool_versions.tool_id", "=", "tools.id")
        .onRef("tool_versions.version", "=", "tools.live_version"),
    )
    .selectAll("credential_requests")
    .select([
      "users.name as user_name",
      "users.email as user_email",
      "tools.name as tool_name",
      "tool_versions.title as tool_title",
    ])
    .where("credential_requests.workspace_id", "=", workspaceId)
    // Admins cannot see what has become private since.
    .where("tools.visibility", "<>", "private")
    .where("tools.archived_at", "is", null)
    .where("credential_requests.created_at", ">", since);
  if (userId !== undefined) query = query.where("credential_requests.user_id", "=", userId);
  return query.orderBy("credential_requests.created_at", "desc").limit(limit).execute();
}

/** Inserts a request, or renews the user's one for the same tool. */
export function upsertRequest({ kysely }: Database, row: CredentialRequestTable): CompiledQuery {
  return kysely
    .insertInto("credential_requests")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "user_id", "tool_id"])
        .doUpdateSet({ created_at: row.created_at }),
    )
    .compile();
}

/** Deletes requests by ID, and all that are older. */
export async function deleteRequests(
  { kysely }: Database,
  workspaceId: string,
  { ids, before }: { ids: readonly string[]; before: number },
): Promise<void> {
  await kysely
    .deleteFrom("credential_requests")
    .where("workspace_id", "=", workspaceId)
    .where((row) =>
      row.or([row("created_at", "<", before), ...(ids.length === 0 ? [] : [row("id", "in", ids)])]),
    )
    .execute();
}

/** How many requests a user has made since a time. */
export async function countRequests(
  db: Database,
  { workspaceId, userId }: User,
  since: number,
): Promise<number> {
  const rows = await db.kysely
    .selectFrom("credential_requests")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("created_at", ">", since)
    .execute();
  return rows.length;
}

/** The email addresses of members with one of the roles. */
export async function findEmailsOfRoles(
  db: Database,
  workspaceId: string,
  roles: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select("users.email")
    .where("members.workspace_id", "=", workspaceId)
    .where("members.role", "in", roles)
    .orderBy("members.id")
    .limit(limit)
    .execute();
  return rows.map(({ email }) => email);
}
