import type { ChatConnectionTable, ChatDeliveryTable, Database, TransactionStep } from "#db";

export async function insertDelivery({ kysely }: Database, row: ChatDeliveryTable): Promise<void> {
  await kysely
    .insertInto("chat_deliveries")
    .values(row)
    .onConflict((conflict) => conflict.column("run_id").doNothing())
    .execute();
}

export type DueDelivery = ChatDeliveryTable & Pick<ChatConnectionTable, "platform" | "team_id">;

/** Deliveries whose runs have ended. Those of a broken connection wait until it works again. */
export async function findDueDeliveries(
  { kysely }: Database,
  limit: number,
): Promise<DueDelivery[]> {
  return kysely
    .selectFrom("chat_deliveries")
    .innerJoin("runs", "runs.id", "chat_deliveries.run_id")
    .innerJoin("chat_connections", "chat_connections.id", "chat_deliveries.connection_id")
    .selectAll("chat_deliveries")
    .select(["chat_connections.platform", "chat_connections.team_id"])
    .where("runs.status", "<>", "running")
    .where("chat_connections.state", "=", "active")
    .orderBy("chat_deliveries.run_id")
    .limit(limit)
    .execute();
}

type OfPerson = {
  connectionId: string;
  channel: string;
  /** Any thread of the channel without it. */
  thread: string | undefined;
  chatUserId: string;
};

/** The deliveries that a person waits for in a thread or channel, newest first. */
export async function findThreadDeliveries(
  { kysely }: Database,
  { connectionId, channel, thread, chatUserId }: OfPerson,
): Promise<Pick<ChatDeliveryTable, "run_id">[]> {
  const query = kysely
    .selectFrom("chat_deliveries")
    .select("run_id")
    .where("connection_id", "=", connectionId)
    .where("channel", "=", channel)
    .where("chat_user_id", "=", chatUserId)
    .orderBy("run_id", "desc")
    .limit(50);
  return (thread === undefined ? query : query.where("thread", "=", thread)).execute();
}

export type WatchedDelivery = DueDelivery & {
  progress: string | null;
  queued: number;
  tool_name: string;
  title: string | null;
};

/** Deliveries of running runs whose message was not updated since `shownBefore`, the longest waiting first. */
export async function findWatchedDeliveries(
  { kysely }: Database,
  { shownBefore, limit }: { shownBefore: number; limit: number },
): Promise<WatchedDelivery[]> {
  return kysely
    .selectFrom("chat_deliveries")
    .innerJoin("runs", "runs.id", "chat_deliveries.run_id")
    .innerJoin("chat_connections", "chat_connections.id", "chat_deliveries.connection_id")
    .leftJoin("tool_versions", (join) =>
      join
        .onRef("tool_versions.tool_id", "=", "runs.tool_id")
        .onRef("tool_versions.version", "=", "runs.tool_version"),
    )
    .selectAll("chat_deliveries")
    .select(["chat_connections.platform", "chat_connections.team_id"])
    .select(["runs.progress", "runs.queued", "runs.tool_name", "tool_versions.title"])
    .where("runs.status", "=", "running")
    .where("chat_connections.state", "=", "active")
    .where("chat_deliveries.shown_at", "<=", shownBefore)
    .where((row) =>
      row.and([
        row("runs.progress", "is not", null),
        row.or([
          row("chat_deliveries.shown", "is", null),
          row("chat_deliveries.shown", "<>", row.ref("runs.progress")),
        ]),
      ]),
    )
    .orderBy("chat_deliveries.shown_at")
    .limit(limit)
    .execute();
}

/**
 * Records the progress that a message is about to show. Changes nothing if another node did, or the delivery is
 * taken.
 */
export function noteShown(
  { kysely }: Database,
  seen: Pick<ChatDeliveryTable, "run_id" | "shown_at">,
  now: { shown: string; shown_at: number },
): TransactionStep {
  const query = kysely
    .updateTable("chat_deliveries")
    .set(now)
    .where("run_id", "=", seen.run_id)
    .where("shown_at", "=", seen.shown_at)
    .compile();
  return { query, mustChange: true };
}

/** Whether a run's completion is still to be delivered. */
export async function isPending({ kysely }: Database, runId: string): Promise<boolean> {
  const row = await kysely
    .selectFrom("chat_deliveries")
    .select("run_id")
    .where("run_id", "=", runId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a run was cancelled. */
export async function wasCancelled({ kysely }: Database, runId: string): Promise<boolean> {
  const row = await kysely
    .selectFrom("runs")
    .select("status")
    .where("id", "=", runId)
    .executeTakeFirst();
  return row?.status === "cancelled";
}

/** Deletes a delivery. Changes nothing if another node took it. */
export function takeDelivery({ kysely }: Database, runId: string): TransactionStep {
  const query = kysely.deleteFrom("chat_deliveries").where("run_id", "=", runId).compile();
  return { query, mustChange: true };
}

export async function deleteOldDeliveries({ kysely }: Database, before: number): Promise<void> {
  await kysely.deleteFrom("chat_deliveries").where("created_at", "<", before).execute();
}
