import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database } from "#db";

/** Whose access to a workspace to revoke: one user's, or that of all users. */
export type Whose = { workspaceId: string; userId?: string };

/**
 * The steps that revoke everything that acts on behalf of a user in a workspace: API keys, connected apps, credentials, chat
 * links and sent invitations. They also delete drafts, preferences and requests, and request the cancellation of runs. Webhooks belong to the workspace, and
 * are deleted with the access of all users only.
 */
export function revokeAccess(db: Database, whose: Whose, now: number): CompiledQuery[] {
  const { workspaceId } = whose;
  const { kysely } = db;
  return [
    kysely
      .updateTable("api_keys")
      .set({ revoked_at: now })
      .where("workspace_id", "=", workspaceId)
      .where(isTheirs(whose, "user_id"))
      .where("revoked_at", "is", null)
      .compile(),
    ...deleteGrants(db, whose),
    ...deleteSecrets(db, whose),
    ...disconnectChats(db, whose, now),
    deleteStoredSearches(db, whose),
    ...(["user_preferences", "credential_requests", "always_allowed_tools"] as const).map((table) =>
      kysely
        .deleteFrom(table)
        .where("workspace_id", "=", workspaceId)
        .where(isTheirs(whose, "user_id"))
        .compile(),
    ),
    ...(whose.userId === undefined
      ? [deleteAlerts(db, workspaceId), deleteWebhooks(db, workspaceId)]
      : []),
    kysely
      .deleteFrom("invitations")
      .where("workspace_id", "=", workspaceId)
      .where(isTheirs(whose, "invited_by"))
      .compile(),
    kysely
      .deleteFrom("drafts")
      .where("workspace_id", "=", workspaceId)
      .where(isTheirs(whose, "user_id"))
      .compile(),
    kysely
      .updateTable("runs")
      .set({ cancel_requested: 1 })
      .where("workspace_id", "=", workspaceId)
      .where(isTheirs(whose, "user_id"))
      .where("status", "=", "running")
      .compile(),
  ];
}

/** Deletes what is stored of searches for tools. */
export function deleteStoredSearches({ kysely }: Database, whose: Whose): CompiledQuery {
  return kysely
    .deleteFrom("tool_searches")
    .where("workspace_id", "=", whose.workspaceId)
    .where(isTheirs(whose, "user_id"))
    .compile();
}

/** Deliveries of their notifications find no workspace, and end. */
function deleteAlerts({ kysely }: Database, workspaceId: string): CompiledQuery {
  return kysely.deleteFrom("alerts").where("workspace_id", "=", workspaceId).compile();
}

/** A task deletes their deliveries. */
function deleteWebhooks({ kysely }: Database, workspaceId: string): CompiledQuery {
  return kysely.deleteFrom("webhooks").where("workspace_id", "=", workspaceId).compile();
}

function isTheirs({ userId }: Whose, column: string) {
  return userId === undefined ? sql<boolean>`1 = 1` : sql<boolean>`${sql.ref(column)} = ${userId}`;
}

function deleteGrants({ kysely }: Database, whose: Whose): CompiledQuery[] {
  const grants = kysely
    .selectFrom("oauth_grants")
    .select("id")
    .where("workspace_id", "=", whose.workspaceId)
    .where(isTheirs(whose, "user_id"));
  return [
    kysely
      .deleteFrom("oauth_records")
      .where((row) =>
        row.or([
          row("grant_id", "in", grants),
          row.and([row("model", "=", "Grant"), row("id", "in", grants)]),
        ]),
      )
      .compile(),
    kysely
      .deleteFrom("oauth_grants")
      .where("workspace_id", "=", whose.workspaceId)
      .where(isTheirs(whose, "user_id"))
      .compile(),
  ];
}

function deleteSecrets({ kysely }: Database, whose: Whose): CompiledQuery[] {
  return [
    kysely
      .deleteFrom("connection_attempts")
      .where("workspace_id", "=", whose.workspaceId)
      .where(isTheirs(whose, "user_id"))
      .compile(),
    kysely
      .deleteFrom("credentials")
      .where("workspace_id", "=", whose.workspaceId)
      .where(isTheirs(whose, "owner_user_id"))
      .compile(),
    kysely
      .deleteFrom("tool_approvals")
      .where("workspace_id", "=", whose.workspaceId)
      .where(isTheirs(whose, "owner_user_id"))
      .compile(),
  ];
}

/** Deletes a user's chat links. For a whole workspace it marks the chat connections as leaving; a task notifies the platforms. */
function disconnectChats({ kysely }: Database, whose: Whose, now: number): CompiledQuery[] {
  const { workspaceId, userId } = whose;
  const connections = kysely
    .selectFrom("chat_connections")
    .select("id")
    .where("workspace_id", "=", workspaceId);
  return [
    kysely
      .deleteFrom("chat_attempts")
      .where("workspace_id", "=", workspaceId)
      .where(isTheirs(whose, "user_id"))
      .compile(),
    userId === undefined
      ? kysely
          .updateTable("chat_connections")
          .set({ state: "leaving", changed_at: now })
          .where("workspace_id", "=", workspaceId)
          .where("state", "<>", "leaving")
          .compile()
      : kysely
          .deleteFrom("chat_links")
          .where("user_id", "=", userId)
          .where("connection_id", "in", connections)
          .compile(),
  ];
}
