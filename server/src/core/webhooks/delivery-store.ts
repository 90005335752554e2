import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { Database, RunTable, WebhookDeliveryTable } from "#db";
import type { WebhookRef } from "./webhook-store.ts";

type Claim = { webhookId: string; now: number; leaseUntil: number; limit: number };

/**
 * Claims due deliveries of a webhook, the longest waiting first. They are due again at the end of the lease, which is how a node
 * that stops loses them.
 */
export async function claimDeliveries(
  { dialect, kysely }: Database,
  { webhookId, now, leaseUntil, limit }: Claim,
): Promise<WebhookDeliveryTable[]> {
  const skipLocked = dialect === "postgres" ? sql`for update skip locked` : sql``;
  // PostgreSQL may execute a subquery repeatedly, and its lock would then skip the rows that it claimed before.
  const { rows } = await sql<WebhookDeliveryTable>`
    with due as materialized (
      select event_id from webhook_deliveries
      where webhook_id = ${webhookId} and state = 'pending' and due_at <= ${now}
      order by due_at limit ${limit} ${skipLocked}
    )
    update webhook_deliveries set attempt = attempt + 1, attempted_at = ${now}, due_at = ${leaseUntil}
    where webhook_id = ${webhookId} and state = 'pending' and event_id in (select event_id from due)
    returning *
  `.execute(kysely);
  return rows;
}

/** Writes the outcome of an attempt, unless a later attempt has claimed the delivery. */
export async function writeOutcome(
  { kysely }: Database,
  { webhook_id: webhookId, event_id: eventId, attempt }: WebhookDeliveryTable,
  change: Partial<WebhookDeliveryTable>,
): Promise<void> {
  await kysely
    .updateTable("webhook_deliveries")
    .set(change)
    .where("webhook_id", "=", webhookId)
    .where("event_id", "=", eventId)
    .where("attempt", "=", attempt)
    .where("state", "=", "pending")
    .execute();
}

/** Larger outputs are not read. In characters, so that the database need not encode them. */
const maxOutputCharacters = 16_384;

const runColumns = [
  "id",
  "parent_run_id",
  "tool_name",
  "tool_version",
  "status",
  "error",
  "created_at",
  "started_at",
  "finished_at",
  "duration_ms",
  "via",
] as const;

/** What is reported of a run. */
export type ReportedRun = Pick<RunTable, (typeof runColumns)[number] | "output"> & {
  has_large_output: number;
};

/** The ID of no user, so that only runs are visible that all members see. */
const everyone = "";

/** The runs among these that all members of the workspace may see now: a tool may have become private since. */
function sharedRuns({ kysely }: Database, workspaceId: string, runIds: readonly string[]) {
  return kysely
    .selectFrom("runs")
    .where("id", "in", runIds)
    .where("workspace_id", "=", workspaceId)
    .where(isRunVisible({ workspaceId, userId: everyone }));
}

/** The IDs of the runs among these that exist and that all members of the workspace may see now. */
export async function findSharedRunIds(
  db: Database,
  workspaceId: string,
  runIds: readonly string[],
): Promise<Set<string>> {
  if (runIds.length === 0) return new Set();
  const rows = await sharedRuns(db, workspaceId, runIds).select("id").execute();
  return new Set(rows.map(({ id }) => id));
}

/** The runs among these that are still reported, with what is reported of them. */
export async function findReportedRuns(
  db: Database,
  workspaceId: string,
  runIds: readonly string[],
): Promise<Map<string, ReportedRun>> {
  const isLarge = sql`length(output) > ${sql.lit(maxOutputCharacters)}`;
  if (runIds.length === 0) return new Map();
  const rows = await sharedRuns(db, workspaceId, runIds)
    .select(runColumns)
    .select([
      sql<string | null>`case when ${isLarge} then null else output end`.as("output"),
      sql<number>`case when ${isLarge} then 1 else 0 end`.as("has_large_output"),
    ])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

type Page = { limit: number; after: string | undefined; state: string | undefined };

/** Deliveries of a webhook, newest first. */
export async function findDeliveries(
  { kysely }: Database,
  webhookId: string,
  { limit, after, state }: Page,
): Promise<WebhookDeliveryTable[]> {
  let query = kysely
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", webhookId);
  if (state !== undefined) query = query.where("state", "=", state);
  if (after !== undefined) query = query.where("event_id", "<", after);
  return query.orderBy("event_id", "desc").limit(limit).execute();
}

/** Makes deliveries of a webhook that have ended pending again, with all their attempts. */
export function requeue(
  { kysely }: Database,
  { id, workspaceId }: WebhookRef,
  which: { eventId: string } | { maxDead: number },
  change: Pick<WebhookDeliveryTable, "due_at" | "expires_at">,
): CompiledQuery {
  const dead = kysely
    .selectFrom("webhook_deliveries as one")
    .select("one.event_id")
    .where("one.webhook_id", "=", id)
    .where("one.state", "=", "dead")
    .orderBy("one.event_id");
  const own = kysely
    .selectFrom("webhooks")
    .select("id")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId);
  return kysely
    .updateTable("webhook_deliveries")
    .set((row) => ({
      ...change,
      state: "pending",
      finished_at: null,
      // The attempt number is not reset, so that an attempt that still runs is not mistaken for the new one.
      uncounted_attempts: row.ref("attempt"),
    }))
    .where("webhook_id", "in", own)
    .where("state", "<>", "pending")
    .where((row) =>
      "eventId" in which
        ? row("event_id", "=", which.eventId)
        : row("event_id", "in", dead.limit(which.maxDead)),
    )
    .compile();
}

/** Deletes at most `limit` deliveries whose time is over, or else of one webhook that no longer exists. Returns how many. */
export async function deleteOldDeliveries(
  { kysely }: Database,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const expired = await sql`
    delete from webhook_deliveries where (webhook_id, event_id) in (
      select webhook_id, event_id from webhook_deliveries
      where expires_at < ${now} order by expires_at limit ${sql.lit(limit)})
  `.execute(kysely);
  const count = Number(expired.numAffectedRows ?? 0);
  if (count > 0) return count;
  const orphaned = await sql`
    with recursive known (id) as (
      select min(webhook_id) from webhook_deliveries
      union all
      select (select min(webhook_id) from webhook_deliveries where webhook_id > known.id)
      from known where known.id is not null
    )
    delete from webhook_deliveries where (webhook_id, event_id) in (
      select webhook_id, event_id from webhook_deliveries where webhook_id = (
        select id from known where id is not null
          and not exists (select 1 from webhooks where webhooks.id = known.id) limit 1
      ) limit ${sql.lit(limit)})
  `.execute(kysely);
  return Number(orphaned.numAffectedRows ?? 0);
}
