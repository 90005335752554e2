import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { ChatInboxTable, Database } from "#db";
import type { InboxJob } from "./event.ts";

/** A job for the inbox of a team whose connection is not looked up yet. */
export type NewJob = Pick<
  ChatInboxTable,
  | "id"
  | "platform"
  | "team_id"
  | "event_id"
  | "message_key"
  | "thread_key"
  | "kind"
  | "payload"
  | "created_at"
>;

/**
 * Puts a job into the inbox of the team's connection in one statement. Changes nothing for a team that is not
 * connected, and for an event or message that is known.
 */
export function insertJob({ kysely }: Database, job: NewJob): CompiledQuery {
  return sql`
    insert into chat_inbox (id, workspace_id, connection_id, platform, team_id, event_id, message_key,
      thread_key, kind, payload, status, attempt, node_id, run_after, acknowledged, created_at)
    select cast(${job.id} as text), workspace_id, id, platform, team_id, cast(${job.event_id} as text),
      cast(${job.message_key} as text), cast(${job.thread_key} as text), cast(${job.kind} as text),
      cast(${job.payload} as text), 'queued', 0, '', cast(${job.created_at} as bigint), 0,
      cast(${job.created_at} as bigint)
    from chat_connections
    where platform = ${job.platform} and team_id = ${job.team_id} and state = 'active'
    on conflict do nothing
  `.compile(kysely);
}

/** A job that a node has claimed. */
export type ClaimedJob = ChatInboxTable;

type Claim = { nodeId: string; now: number; leaseUntil: number };

/**
 * Claims the oldest due job of a thread that has no older or running job; undefined when there is none. Throws the
 * database's unique violation when two nodes claim jobs of one thread.
 */
export async function claimJob(
  db: Database,
  { nodeId, now, leaseUntil }: Claim,
): Promise<ClaimedJob | undefined> {
  const skipLocked = db.dialect === "postgres" ? sql`for update skip locked` : sql``;
  const { rows } = await sql<ClaimedJob>`
    update chat_inbox set status = 'running', attempt = attempt + 1, node_id = ${nodeId}, lease_until = ${leaseUntil}
    where status = 'queued' and id = (
      select id from chat_inbox as next
      where status = 'queued' and run_after <= ${now}
        and not exists (
          select 1 from chat_inbox as older
          where older.thread_key = next.thread_key and older.status = 'queued' and older.id < next.id
        )
        and not exists (
          select 1 from chat_inbox as other
          where other.thread_key = next.thread_key and other.status = 'running'
        )
      order by id limit 1 ${skipLocked}
    )
    returning *
  `.execute(db.kysely);
  return rows[0];
}

/** One attempt of one node at a job. */
export type JobClaim = Pick<ChatInboxTable, "id" | "node_id" | "attempt">;

/** Updates a job while it still belongs to this attempt. */
export function updateClaimed(
  { kysely }: Database,
  { id, node_id: nodeId, attempt }: JobClaim,
  change: Partial<ChatInboxTable>,
): CompiledQuery {
  return kysely
    .updateTable("chat_inbox")
    .set(change)
    .where("id", "=", id)
    .where("node_id", "=", nodeId)
    .where("attempt", "=", attempt)
    .where("status", "=", "running")
    .compile();
}

/** Extends the leases of a node's jobs. */
export async function renewLeases(
  { kysely }: Database,
  nodeId: string,
  ids: readonly string[],
  leaseUntil: number,
): Promise<void> {
  if (ids.length === 0) return;
  await kysely
    .updateTable("chat_inbox")
    .set({ lease_until: leaseUntil })
    .where("id", "in", ids)
    .where("node_id", "=", nodeId)
    .where("status", "=", "running")
    .execute();
}

type Lapse = {
  /** This node's own jobs are not requeued. */
  nodeId: string;
  busyIds: readonly string[];
  /** On the embedded database there is no other node. */
  isAlone: boolean;
  now: number;
};

/** Requeues jobs whose lease has expired, and returns how many. */
export async function requeueLapsed(
  { kysely }: Database,
  { nodeId, busyIds, isAlone, now }: Lapse,
): Promise<number> {
  let query = kysely
    .updateTable("chat_inbox")
    .set({ status: "queued", node_id: "", lease_until: null })
    .where("status", "=", "running")
    .where((row) =>
      isAlone
        ? row.or([row("node_id", "<>", nodeId), row("lease_until", "<", now)])
        : row("lease_until", "<", now),
    );
  if (busyIds.length > 0) query = query.where("id", "not in", busyIds);
  const { numUpdatedRows } = await query.executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Records that a message is acknowledged. */
export async function markAcknowledged(db: Database, id: string): Promise<void> {
  await db.transact([
    db.kysely.updateTable("chat_inbox").set({ acknowledged: 1 }).where("id", "=", id).compile(),
  ]);
}

type Page = { workspaceId: string; limit: number; after: string | undefined };

/** Dead letters, newest first. */
export async function findDeadLetters(
  { kysely }: Database,
  { workspaceId, limit, after }: Page,
): Promise<ChatInboxTable[]> {
  let query = kysely
    .selectFrom("chat_inbox")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "dead");
  if (after !== undefined) query = query.where("id", "<", after);
  return query.orderBy("id", "desc").limit(limit).execute();
}

/** Counts the jobs that wait or are being processed, and the dead letters; `oldestAt` is when the oldest job arrived. */
export async function findInboxSize({
  kysely,
}: Database): Promise<{ waiting: number; dead: number; oldestAt: number | null }> {
  const rows = await kysely
    .selectFrom("chat_inbox")
    .select((select) => [
      "status",
      select.fn.countAll<number>().as("count"),
      select.fn.min<number>("created_at").as("oldestAt"),
    ])
    .where("status", "in", ["queued", "running", "dead"])
    .groupBy("status")
    .execute();
  const [waiting, dead] = [
    rows.filter(({ status }) => status !== "dead"),
    rows.filter(({ status }) => status === "dead"),
  ];
  return {
    waiting: waiting.reduce((sum, { count }) => sum + count, 0),
    dead: dead[0]?.count ?? 0,
    oldestAt: waiting.length === 0 ? null : Math.min(...waiting.map(({ oldestAt }) => oldestAt)),
  };
}

/** The `problem` of a finished message whose author had no linked account. Its payload stays for {@link maxUnlinkedMs}. */
export const unlinked = "unlinked";
/** How old a message may be that is answered after its author linked their account. */
export const maxUnlinkedMs = 3_600_000;

type Author = { connectionId: string; chatUserId: string; since: number };

/** The latest messages that a chat user sent before they linked their account, oldest first. */
export async function findUnlinked(
  { kysely }: Database,
  { connectionId, chatUserId, since }: Author,
  limit: number,
): Promise<string[]> {
  const rows = await kysely
    .selectFrom("chat_inbox")
    .select(["id", "payload"])
    .where("connection_id", "=", connectionId)
    .where("status", "=", "done")
    .where("problem", "=", unlinked)
    .where("finished_at", ">", since)
    .orderBy("id", "desc")
    .limit(100)
    .execute();
  const theirs = rows.filter(({ payload }) => {
    const job = JSON.parse(payload) as InboxJob;
    return job.kind === "message" && job.message.chatUserId === chatUserId;
  });
  return theirs
    .slice(0, limit)
    .map(({ id }) => id)
    .toReversed();
}

/** Deletes the texts of messages that are too old to be answered. */
export async function forgetUnlinked({ kysely }: Database, now: number): Promise<void> {
  await kysely
    .updateTable("chat_inbox")
    .set({ payload: "", problem: null })
    .where("status", "=", "done")
    .where("problem", "=", unlinked)
    .where("finished_at", "<", now - maxUnlinkedMs)
    .execute();
}

/** Requeues messages of authors who have linked their account. */
export function requeueUnlinked(
  { kysely }: Database,
  ids: readonly string[],
  now: number,
): CompiledQuery {
  return kysely
    .updateTable("chat_inbox")
    .set((row) => ({
      status: "queued",
      problem: null,
      run_after: now,
      finished_at: null,
      node_id: "",
      lease_until: null,
      uncounted_attempts: row.ref("attempt"),
    }))
    .where("id", "in", ids)
    .where("status", "=", "done")
    .where("problem", "=", unlinked)
    .compile();
}

/** Requeues a dead letter with all its attempts. */
export function markRequeued(
  { kysely }: Database,
  { id, workspaceId, now }: { id: string; workspaceId: string; now: number },
): CompiledQuery {
  return kysely
    .updateTable("chat_inbox")
    .set((row) => ({
      status: "queued",
      run_after: now,
      finished_at: null,
      node_id: "",
      // The attempt number is not reset, so that an attempt that still runs is not mistaken for the new one.
      uncounted_attempts: row.ref("attempt"),
    }))
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "dead")
    .compile();
}

/** Deletes finished jobs and dead letters. Later deliveries of their events are no longer recognized. */
export async function deleteFinished({ kysely }: Database, before: number): Promise<number> {
  const { numDeletedRows } = await kysely
    .deleteFrom("chat_inbox")
    .where("status", "in", ["done", "dead"])
    .where("finished_at", "<", before)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
