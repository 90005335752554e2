import type { ChatConnectionTable, ChatDeliveryTable, Database, TransactionStep } from "#db";

export async function insertDelivery({ kysely }: Database, row: ChatDeliveryTable): Promise<void> {
  await kysely
    .insertInto("chat_deliveries")
    .values(row)
    .onConflict((conflict) => conflict.column("run_id").doNothing())
    .execute();
}

export type DueDelivery = ChatDeliveryTable & Pick<ChatConnectionTable, "platform" | "team_id">;

/** Promised ends of runs that have ended, of teams that are still connected. */
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
    .orderBy("chat_deliveries.run_id")
    .limit(limit)
    .execute();
}

/** Ends a promise; undoes all when another node was faster. */
export function takeDelivery({ kysely }: Database, runId: string): TransactionStep {
  const query = kysely.deleteFrom("chat_deliveries").where("run_id", "=", runId).compile();
  return { query, mustChange: true };
}

export async function deleteOldDeliveries({ kysely }: Database, before: number): Promise<void> {
  await kysely.deleteFrom("chat_deliveries").where("created_at", "<", before).execute();
}
