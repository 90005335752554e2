import type { CompiledQuery } from "kysely";
import type { AlertTable, Database, TransactionStep } from "#db";

/** The alerts of a workspace, oldest first, or one of them. */
export async function findAlerts(
  { kysely }: Database,
  { workspaceId, id }: { workspaceId: string; id?: string },
): Promise<AlertTable[]> {
  let query = kysely.selectFrom("alerts").selectAll().where("workspace_id", "=", workspaceId);
  if (id !== undefined) query = query.where("id", "=", id);
  return query.orderBy("id").execute();
}

/** Alerts that are due for a check, the longest waiting first. */
export async function findDueAlerts(
  { kysely }: Database,
  now: number,
  limit: number,
): Promise<AlertTable[]> {
  return kysely
    .selectFrom("alerts")
    .selectAll()
    .where("next_check_at", "<=", now)
    .where("next_check_at", "is not", null)
    .orderBy("next_check_at")
    .limit(limit)
    .execute();
}

export function insertAlert({ kysely }: Database, row: AlertTable): CompiledQuery {
  return kysely.insertInto("alerts").values(row).compile();
}

/** Changes an alert, unless it was changed since it was read. */
export function updateAlert(
  { kysely }: Database,
  { id, workspace_id: workspaceId, revision }: AlertTable,
  change: Partial<AlertTable>,
): TransactionStep {
  const query = kysely
    .updateTable("alerts")
    .set({ ...change, revision: revision + 1 })
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("revision", "=", revision)
    .compile();
  return { query, mustChange: true };
}

export function deleteAlertRow(
  { kysely }: Database,
  { id, workspaceId }: { id: string; workspaceId: string },
): TransactionStep {
  const query = kysely
    .deleteFrom("alerts")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .compile();
  return { query, mustChange: true };
}

/** SQL allows no empty list. */
const among = (ids: readonly string[]) => ["", ...ids];

/** Which of the recipients exist: members, webhooks and chat connections of the workspace. */
export async function findRecipientIds(
  { kysely }: Database,
  workspaceId: string,
  ids: { userIds: readonly string[]; webhookIds: readonly string[]; chatIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await kysely
    .selectFrom("members")
    .select("user_id as id")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "in", among(ids.userIds))
    .unionAll(
      kysely
        .selectFrom("webhooks")
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .where("id", "in", among(ids.webhookIds)),
    )
    .unionAll(
      kysely
        .selectFrom("chat_connections")
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .where("state", "<>", "leaving")
        .where("id", "in", among(ids.chatIds)),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}
