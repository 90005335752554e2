import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { AlertDeliveryTable, AlertEventTable, Database, TransactionStep } from "#db";

export function insertEvent({ kysely }: Database, row: AlertEventTable): CompiledQuery {
  return kysely.insertInto("alert_events").values(row).compile();
}

export function insertDeliveries(
  { kysely }: Database,
  rows: readonly AlertDeliveryTable[],
): CompiledQuery[] {
  if (rows.length === 0) return [];
  return [
    kysely
      .insertInto("alert_deliveries")
      .values([...rows])
      .compile(),
  ];
}

const retainedMs = 30 * 86_400_000;

type WebhookEvent = Pick<AlertEventTable, "id" | "workspace_id" | "type" | "created_at"> & {
  payload: string;
  dueAt: number;
};

/** Adds a delivery for each of these webhooks of the workspace that exists. */
export function insertWebhookDeliveries(
  { kysely }: Database,
  webhookIds: readonly string[],
  { id, workspace_id, type, created_at, payload, dueAt }: WebhookEvent,
): CompiledQuery[] {
  if (webhookIds.length === 0) return [];
  return [
    sql`
      insert into webhook_deliveries (webhook_id, event_id, run_id, tool_name, type, state, attempt,
        uncounted_attempts, due_at, created_at, expires_at, payload)
      select id, ${id}, '', '', ${`alert.${type}`}, 'pending', 0, 0, cast(${dueAt} as bigint),
        cast(${created_at} as bigint), cast(${created_at + retainedMs} as bigint), ${payload}
      from webhooks where workspace_id = ${workspace_id} and id in (${sql.join(webhookIds)})
    `.compile(kysely),
  ];
}

/** A page of the events of an alert, newest first. */
export async function findEvents(
  { kysely }: Database,
  { workspaceId, alertId }: { workspaceId: string; alertId: string },
  { limit, after }: { limit: number; after: string | undefined },
): Promise<AlertEventTable[]> {
  let query = kysely
    .selectFrom("alert_events")
    .selectAll()
    .where("alert_id", "=", alertId)
    .where("workspace_id", "=", workspaceId);
  if (after !== undefined) query = query.where("id", "<", after);
  return query.orderBy("id", "desc").limit(limit).execute();
}

/** A delivery through any channel, as it is shown. */
export type ShownDelivery = Pick<AlertDeliveryTable, "event_id" | "target" | "problem"> & {
  channel: string;
  state: string;
  attempts: number;
  due_at: number;
  finished_at: number | null;
};

/** The deliveries of events by email, to chats and to webhooks. */
export async function findDeliveries(
  { kysely }: Database,
  workspaceId: string,
  eventIds: readonly string[],
): Promise<ShownDelivery[]> {
  if (eventIds.length === 0) return [];
  return kysely
    .selectFrom("alert_deliveries")
    .select(["event_id", "channel", "target", "state", "attempt as attempts", "problem"])
    .select(["due_at", "finished_at"])
    .where("event_id", "in", eventIds)
    .unionAll(
      kysely
        .selectFrom("webhook_deliveries")
        .innerJoin("webhooks", "webhooks.id", "webhook_deliveries.webhook_id")
        .select(["event_id", sql.lit("webhook").$castTo<string>().as("channel")])
        .select(["webhook_id as target", "state", "attempt as attempts", "problem"])
        .select(["webhook_deliveries.due_at", "finished_at"])
        .where("event_id", "in", eventIds)
        .where("webhooks.workspace_id", "=", workspaceId),
    )
    .execute();
}

/** A due delivery with what it reports. The email address is null if the user is no longer a member. */
export type DueDelivery = AlertDeliveryTable &
  Pick<AlertEventTable, "alert_id" | "type" | "name" | "summary" | "created_at"> & {
    email: string | null;
    workspaceName: string;
    /** Null without a tool, or if it is private now. */
    toolTitle: string | null;
  };

export async function findDueDeliveries(
  { kysely }: Database,
  now: number,
  limit: number,
): Promise<DueDelivery[]> {
  return kysely
    .selectFrom("alert_deliveries as delivery")
    .innerJoin("alert_events as event", "event.id", "delivery.event_id")
    .selectAll("delivery")
    .innerJoin("workspaces", "workspaces.id", "event.workspace_id")
    .select(["event.alert_id", "event.type", "event.name", "event.summary", "event.created_at"])
    .select("workspaces.name as workspaceName")
    .select((query) =>
      query
        .selectFrom("alerts")
        .innerJoin("tools", "tools.name", "alerts.tool_name")
        .innerJoin("tool_versions", (join) =>
          join
            .onRef("tool_versions.tool_id", "=", "tools.id")
            .onRef("tool_versions.version", "=", "tools.live_version"),
        )
        .select("tool_versions.title")
        .whereRef("alerts.id", "=", "event.alert_id")
        .where("tools.visibility", "<>", "private")
        .as("toolTitle"),
    )
    .select((query) =>
      query
        .selectFrom("users")
        .innerJoin("members", "members.user_id", "users.id")
        .select("users.email")
        .whereRef("users.id", "=", "delivery.target")
        .whereRef("members.workspace_id", "=", "delivery.workspace_id")
        .as("email"),
    )
    .where("delivery.state", "=", sql.lit("pending"))
    .where("delivery.due_at", "<=", now)
    .orderBy("delivery.due_at")
    .limit(limit)
    .execute();
}

/** Changes a delivery, unless another attempt has claimed it or it has ended. */
export function updateDelivery(
  { kysely }: Database,
  { id, attempt }: Pick<AlertDeliveryTable, "id" | "attempt">,
  change: Partial<AlertDeliveryTable>,
): TransactionStep {
  const query = kysely
    .updateTable("alert_deliveries")
    .set(change)
    .where("id", "=", id)
    .where("attempt", "=", attempt)
    .where("state", "=", "pending")
    .compile();
  return { query, mustChange: true };
}

/** Deletes at most `limit` events from before an ID, with their deliveries. */
export async function deleteEventsBefore(
  db: Database,
  before: string,
  limit: number,
): Promise<void> {
  const { kysely } = db;
  const old = await kysely
    .selectFrom("alert_events")
    .select("id")
    .where("id", "<", before)
    .orderBy("id")
    .limit(limit)
    .execute();
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await db.transact([
    kysely.deleteFrom("alert_deliveries").where("event_id", "in", ids).compile(),
    kysely.deleteFrom("alert_events").where("id", "in", ids).compile(),
  ]);
}
