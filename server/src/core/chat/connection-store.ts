import { sql } from "kysely";
import type { CompiledQuery, Updateable } from "kysely";
import { capSteps } from "#core/limits";
import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable, Database, TransactionStep } from "#db";

/** The active connection of a team. */
export async function findTeamConnection(
  { kysely }: Database,
  platform: string,
  teamId: string,
): Promise<ChatConnectionTable | undefined> {
  return kysely
    .selectFrom("chat_connections")
    .selectAll()
    .where("platform", "=", platform)
    .where("team_id", "=", teamId)
    .where("state", "=", "active")
    .executeTakeFirst();
}

/** The connection of a team in any state. */
export async function findTeam(
  { kysely }: Database,
  platform: string,
  teamId: string,
): Promise<ChatConnectionTable | undefined> {
  return kysely
    .selectFrom("chat_connections")
    .selectAll()
    .where("platform", "=", platform)
    .where("team_id", "=", teamId)
    .executeTakeFirst();
}

/** A connection by ID, unless it is being disconnected. */
export async function findConnection(
  { kysely }: Database,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<ChatConnectionTable | undefined> {
  return kysely
    .selectFrom("chat_connections")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("state", "<>", "leaving")
    .executeTakeFirst();
}

/** A workspace's connections, oldest first, without those that are being disconnected. */
export async function listConnectionRows(
  { kysely }: Database,
  workspaceId: string,
): Promise<ChatConnectionTable[]> {
  return kysely
    .selectFrom("chat_connections")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("state", "<>", "leaving")
    .orderBy("id")
    .execute();
}

/** The steps throw `quota_exceeded` when the workspace has reached its limit of other connected teams. */
export function capConnections(
  context: Pick<ChatContext, "config" | "db">,
  { workspace_id: workspaceId, team_id: teamId }: ChatConnectionTable,
): TransactionStep[] {
  return capSteps(context, "chat-connections", {
    subject: workspaceId,
    existing: sql`select 1 from chat_connections
      where workspace_id = ${workspaceId} and team_id <> ${teamId}`,
  });
}

export function insertConnection({ kysely }: Database, row: ChatConnectionTable): CompiledQuery {
  return kysely.insertInto("chat_connections").values(row).compile();
}

/** Updates a connection if it has not changed since it was read. */
export function changeConnection(
  { kysely }: Database,
  seen: Pick<ChatConnectionTable, "id" | "workspace_id" | "state" | "changed_at">,
  change: Updateable<ChatConnectionTable>,
): TransactionStep {
  const query = kysely
    .updateTable("chat_connections")
    .set(change)
    .where("id", "=", seen.id)
    .where("workspace_id", "=", seen.workspace_id)
    .where("state", "=", seen.state)
    .where("changed_at", "=", seen.changed_at)
    .compile();
  return { query, mustChange: true };
}

/** Deletes a connection and its dependent rows if it has not changed since it was read. */
export function deleteConnection(
  { kysely }: Database,
  seen: Pick<ChatConnectionTable, "id" | "state" | "changed_at">,
): TransactionStep {
  const query = kysely
    .deleteFrom("chat_connections")
    .where("id", "=", seen.id)
    .where("state", "=", seen.state)
    .where("changed_at", "=", seen.changed_at)
    .compile();
  return { query, mustChange: true };
}

/** Disconnected connections whose tokens are not yet revoked. */
export async function findDisconnected({ kysely }: Database): Promise<ChatConnectionTable[]> {
  return kysely
    .selectFrom("chat_connections")
    .selectAll()
    .where("state", "=", "leaving")
    .orderBy("id")
    .limit(20)
    .execute();
}
