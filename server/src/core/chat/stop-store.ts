import type { ChatInboxTable, Database, TransactionStep } from "#db";

/** The `problem` of a finished job that its person stopped. */
const stopped = "stopped";

/** The jobs in progress with one of these thread keys. */
export async function findRunningJobs(
  { kysely }: Database,
  threadKeys: readonly string[],
): Promise<Pick<ChatInboxTable, "id" | "thread_key" | "payload">[]> {
  return kysely
    .selectFrom("chat_inbox")
    .select(["id", "thread_key", "payload"])
    .where("thread_key", "in", threadKeys)
    .where("status", "=", "running")
    .execute();
}

/** Finishes a job in progress. Its attempt has lost the job, so it stops before its next action. */
export function markStopped({ kysely }: Database, id: string, now: number): TransactionStep {
  return kysely
    .updateTable("chat_inbox")
    .set({ status: "done", payload: "", problem: stopped, finished_at: now })
    .where("id", "=", id)
    .where("status", "=", "running")
    .compile();
}

/** The jobs of a thread that were stopped at this time or later. */
export async function findStoppedJobs(
  { kysely }: Database,
  { thread_key: threadKey, created_at: since }: Pick<ChatInboxTable, "thread_key" | "created_at">,
): Promise<Pick<ChatInboxTable, "id" | "reply_id">[]> {
  return kysely
    .selectFrom("chat_inbox")
    .select(["id", "reply_id"])
    .where("thread_key", "=", threadKey)
    .where("status", "=", "done")
    .where("problem", "=", stopped)
    .where("finished_at", ">=", since)
    .orderBy("id")
    .execute();
}
