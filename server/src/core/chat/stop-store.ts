import { sql } from "kysely";
import type { ChatInboxTable, Database, TransactionStep } from "#db";
import { threadKey } from "./thread-key.ts";

/** The `problem` of a finished job that its person stopped. */
const stopped = "stopped";

type Channel = { platform: string; teamId: string; channel: string };

/** The jobs in all threads of a channel that are not finished, oldest first. */
export async function findOpenJobs(
  { kysely }: Database,
  { platform, teamId, channel }: Channel,
): Promise<Pick<ChatInboxTable, "id" | "payload">[]> {
  const start = threadKey(platform, teamId, { channel, thread: "" }).slice(0, -'""]'.length);
  return kysely
    .selectFrom("chat_inbox")
    .select(["id", "payload"])
    .where("status", "in", ["queued", "running"])
    .where(sql<string>`substr(thread_key, 1, ${sql.lit(start.length)})`, "=", start)
    .orderBy("id")
    .execute();
}

/** Finishes an open job. An attempt at it has lost the job, so it stops before its next action. */
export function markStopped({ kysely }: Database, id: string, now: number): TransactionStep {
  return kysely
    .updateTable("chat_inbox")
    .set({ status: "done", payload: "", problem: stopped, finished_at: now })
    .where("id", "=", id)
    .where("status", "in", ["queued", "running"])
    .compile();
}

/** Those of these jobs that were stopped, and did not finish before. */
export async function findStoppedJobs(
  { kysely }: Database,
  ids: readonly string[],
): Promise<Pick<ChatInboxTable, "id" | "reply_id">[]> {
  if (ids.length === 0) return [];
  return kysely
    .selectFrom("chat_inbox")
    .select(["id", "reply_id"])
    .where("id", "in", ids)
    .where("status", "=", "done")
    .where("problem", "=", stopped)
    .orderBy("id")
    .execute();
}
