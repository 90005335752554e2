import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Database, WebhookTable } from "#db";

/** A webhook of a workspace. */
export type WebhookRef = { id: string; workspaceId: string };

/** A webhook with the numbers of its pending deliveries and dead letters. */
export type WebhookRow = WebhookTable & { pending: number; dead: number };

/** The state of a webhook without failures. */
export const healthy = { failures: 0, failing_since: null, paused_until: 0 };

/** Counting blocks the embedded database. */
const maxCount = 100;
const maxTotal = 10_000;

/** The deliveries of a row of `webhooks` in a state. Counting stops at a hundred. */
function countOf(state: "pending" | "dead"): RawBuilder<number> {
  return sql<number>`cast((select count(*) from (
    select 1 from webhook_deliveries as one
    where one.webhook_id = webhooks.id and one.state = ${sql.lit(state)} limit ${sql.lit(maxCount)}
  ) as counted) as integer)`;
}

/** The webhooks of a workspace, oldest first, or one of them. */
export async function findWebhooks(
  { kysely }: Database,
  { workspaceId, id }: { workspaceId: string; id?: string },
): Promise<WebhookRow[]> {
  let query = kysely
    .selectFrom("webhooks")
    .selectAll()
    .select([countOf("pending").as("pending"), countOf("dead").as("dead")])
    .where("workspace_id", "=", workspaceId);
  if (id !== undefined) query = query.where("id", "=", id);
  return query.orderBy("id").execute();
}

export function insertWebhook({ kysely }: Database, row: WebhookTable): CompiledQuery {
  return kysely.insertInto("webhooks").values(row).compile();
}

/** Changes a webhook, unless it was modified since it was read. */
export function updateWebhook(
  { kysely }: Database,
  { id, workspace_id: workspaceId, updated_at: updatedAt }: WebhookTable,
  change: Partial<WebhookTable>,
): CompiledQuery {
  return kysely
    .updateTable("webhooks")
    .set(change)
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("updated_at", "=", updatedAt)
    .compile();
}

/** Deletes a webhook. Its deliveries are not attempted from then on; a task deletes them. */
export function deleteWebhookRow(
  { kysely }: Database,
  { id, workspaceId }: WebhookRef,
): CompiledQuery {
  return kysely
    .deleteFrom("webhooks")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .compile();
}

/**
 * Webhooks with due deliveries, at most `limit` in random order, so that none waits for always the same others. One index probe
 * finds each webhook that has pending deliveries, however many those are.
 */
export async function findDueWebhooks(
  { kysely }: Database,
  { now, except, limit }: { now: number; except: readonly string[]; limit: number },
): Promise<WebhookTable[]> {
  const others = except.length === 0 ? sql`` : sql`and webhooks.id not in (${sql.join(except)})`;
  const { rows } = await sql<WebhookTable>`
    with recursive waiting (id) as (
      select min(webhook_id) from webhook_deliveries where state = 'pending'
      union all
      select (select min(webhook_id) from webhook_deliveries
        where state = 'pending' and webhook_id > waiting.id)
      from waiting where waiting.id is not null
    )
    select webhooks.* from waiting join webhooks on webhooks.id = waiting.id
    where webhooks.enabled = 1 and webhooks.paused_until <= ${now} ${others}
      and exists (select 1 from webhook_deliveries as due
        where due.webhook_id = webhooks.id and due.state = 'pending' and due.due_at <= ${now})
    order by random() limit ${sql.lit(limit)}
  `.execute(kysely);
  return rows;
}

/** Records that all attempts of a batch failed. */
export async function noteFailing(
  { kysely }: Database,
  id: string,
  { now, pausedUntil }: { now: number; pausedUntil: number },
): Promise<void> {
  await sql`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${now}),
      paused_until = case when paused_until > ${pausedUntil} then paused_until else ${pausedUntil} end
    where id = ${id}
  `.execute(kysely);
}

/** Records that an attempt succeeded after others had failed. */
export async function noteHealthy({ kysely }: Database, id: string): Promise<void> {
  await kysely.updateTable("webhooks").set(healthy).where("id", "=", id).execute();
}

/**
 * Forgets the failures of a webhook without pending deliveries, after one ended without an attempt: until the next event there
 * are no attempts, and that time must not count as failing.
 */
export async function noteQuiet({ kysely }: Database, id: string): Promise<void> {
  await kysely
    .updateTable("webhooks")
    .set(healthy)
    .where("id", "=", id)
    .where("enabled", "=", 1)
    .where("failing_since", "is not", null)
    .where(
      sql<boolean>`not exists (select 1 from webhook_deliveries as one
        where one.webhook_id = webhooks.id and one.state = 'pending')`,
    )
    .execute();
}

/** Disables a webhook that the service can no longer reach. Changes nothing if it is disabled or was modified. */
export function disableStep(
  { kysely }: Database,
  { id, updated_at: updatedAt }: WebhookTable,
  change: Pick<WebhookTable, "disabled_reason" | "updated_at">,
): CompiledQuery {
  return kysely
    .updateTable("webhooks")
    .set({ ...change, enabled: 0 })
    .where("id", "=", id)
    .where("enabled", "=", 1)
    .where("updated_at", "=", updatedAt)
    .compile();
}

/** The email addresses of at most `limit` owners and admins of a workspace. */
export async function findAdminEmails(
  { kysely }: Database,
  workspaceId: string,
  limit: number,
): Promise<string[]> {
  const rows = await kysely
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select("users.email")
    .where("members.workspace_id", "=", workspaceId)
    .where("members.role", "in", ["owner", "admin"])
    .orderBy("members.id")
    .limit(limit)
    .execute();
  return rows.map(({ email }) => email);
}

/** The deliveries of all webhooks in a state. Counting stops at ten thousand. Uses the partial index of the state. */
function totalOf(state: "pending" | "dead"): RawBuilder<number> {
  return sql<number>`cast((select count(*) from (
    select 1 from webhook_deliveries where state = ${sql.lit(state)} limit ${sql.lit(maxTotal)}
  ) as counted) as integer)`;
}

/** The numbers of pending deliveries and dead letters, and how long the oldest due delivery has waited for an attempt. */
export async function readTotals(
  { kysely }: Database,
  now: number,
): Promise<{ pending: number; dead: number; overdueMs: number }> {
  const { rows } = await sql<{ pending: number; dead: number; due: number | null }>`
    select ${totalOf("pending")} as pending, ${totalOf("dead")} as dead, (
      select min((
        select min(due_at) from webhook_deliveries as one
        where one.webhook_id = webhooks.id and one.state = 'pending'
      )) from webhooks where enabled = 1 and paused_until <= ${now}
    ) as due
  `.execute(kysely);
  const { pending = 0, dead = 0, due = null } = rows[0] ?? {};
  return { pending, dead, overdueMs: due === null ? 0 : Math.max(0, now - due) };
}
