import { sql } from "kysely";
import type { Database, RunTable } from "#db";
import { indexRange } from "#db";

type UserInWorkspace = { workspaceId: string; userId: string };

/** The user's sign-in methods: names of providers, and `credential` for a password. */
export async function findSignInMethods(db: Database, userId: string): Promise<string[]> {
  const { rows } = await sql<{ provider_id: string }>`
    select provider_id from accounts where user_id = ${userId} order by id`.execute(db.kysely);
  return rows.map((row) => row.provider_id);
}

/** The tools that a user created in a workspace, at their live version. */
export async function findOwnTools(db: Database, { workspaceId, userId }: UserInWorkspace) {
  return db.kysely
    .selectFrom("tools")
    .innerJoin("tool_versions", (join) =>
      join
        .onRef("tool_versions.tool_id", "=", "tools.id")
        .onRef("tool_versions.version", "=", "tools.live_version"),
    )
    .select([
      "tools.name",
      "tools.visibility",
      "tools.created_at",
      "tools.archived_at",
      "tool_versions.version",
      "tool_versions.title",
      "tool_versions.description",
      "tool_versions.definition",
      "tool_versions.source",
    ])
    .where("tools.workspace_id", "=", workspaceId)
    .where("tools.owner_user_id", "=", userId)
    .orderBy("tools.id")
    .execute();
}

/** A user's drafts in a workspace. */
export async function findOwnDrafts(db: Database, { workspaceId, userId }: UserInWorkspace) {
  return db.kysely
    .selectFrom("drafts")
    .select(["title", "definition", "revision", "created_at", "updated_at"])
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

/** The JSON of a user's preferences in a workspace. */
export async function findOwnPreferences(db: Database, { workspaceId, userId }: UserInWorkspace) {
  return db.kysely
    .selectFrom("user_preferences")
    .select("preferences")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** The tools that a user has asked admins for credentials of. */
export async function findOwnCredentialRequests(
  db: Database,
  { workspaceId, userId }: UserInWorkspace,
) {
  return db.kysely
    .selectFrom("credential_requests")
    .innerJoin("tools", "tools.id", "credential_requests.tool_id")
    .select(["tools.name as tool_name", "credential_requests.created_at"])
    .where("credential_requests.workspace_id", "=", workspaceId)
    .where("credential_requests.user_id", "=", userId)
    .orderBy("credential_requests.id")
    .execute();
}

/** The tools that a user runs from chats without a confirmation. */
export async function findOwnAlwaysAllowed(db: Database, { workspaceId, userId }: UserInWorkspace) {
  return db.kysely
    .selectFrom("always_allowed_tools as allowed")
    .innerJoin("tools", "tools.id", "allowed.tool_id")
    .select(["tools.name as tool_name", "allowed.version", "allowed.at"])
    .where("allowed.workspace_id", "=", workspaceId)
    .where("allowed.user_id", "=", userId)
    .orderBy("allowed.tool_id")
    .execute();
}

export async function findOwnKeys(db: Database, { workspaceId, userId }: UserInWorkspace) {
  return db.kysely
    .selectFrom("api_keys")
    .select(["name", "prefix", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at"])
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

export async function findOwnCredentials(db: Database, { workspaceId, userId }: UserInWorkspace) {
  return db.kysely
    .selectFrom("credentials")
    .select(["name", "hosts", "created_at", "last_used_at"])
    .where("workspace_id", "=", workspaceId)
    .where("owner_user_id", "=", userId)
    .orderBy("id")
    .execute();
}

export async function findOwnGrants(db: Database, { workspaceId, userId }: UserInWorkspace) {
  return db.kysely
    .selectFrom("oauth_grants")
    .select(["client_name", "client_uri", "scopes", "rest_scopes", "created_at", "last_used_at"])
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

/** A user's chat links in the teams of a workspace. */
export async function findOwnChatLinks(db: Database, { workspaceId, userId }: UserInWorkspace) {
  return db.kysely
    .selectFrom("chat_links")
    .innerJoin("chat_connections", "chat_connections.id", "chat_links.connection_id")
    .select([
      "chat_connections.platform",
      "chat_connections.team_name",
      "chat_links.chat_user_id",
      "chat_links.how",
      "chat_links.created_at",
    ])
    .where("chat_connections.workspace_id", "=", workspaceId)
    .where("chat_links.user_id", "=", userId)
    .orderBy("chat_links.id")
    .execute();
}

/**
 * The next runs of a workspace, of all users. It reads few columns of many rows, so that no statement searches for one
 * user's runs among millions.
 */
export async function nextRuns(
  db: Database,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<{ id: string; user_id: string }[]> {
  const range = { columns: { workspace_id: workspaceId }, from: `${after}.` };
  const { isWithin, oldestFirst } = indexRange(db, range);
  return db.kysely
    .selectFrom("runs")
    .select(["id", "user_id"])
    .where(isWithin)
    .orderBy(oldestFirst)
    .limit(limit)
    .execute();
}

export async function findRunsById(db: Database, ids: readonly string[]): Promise<RunTable[]> {
  if (ids.length === 0) return [];
  return db.kysely.selectFrom("runs").selectAll().where("id", "in", ids).orderBy("id").execute();
}
