import type { ChatAttemptTable, Database, TransactionStep } from "#db";

export function insertAttempt({ kysely }: Database, row: ChatAttemptTable) {
  return kysely.insertInto("chat_attempts").values(row).compile();
}

export async function findAttempt(
  { kysely }: Database,
  column: "ticket_hash" | "state_hash",
  hash: string,
): Promise<ChatAttemptTable | undefined> {
  return kysely.selectFrom("chat_attempts").selectAll().where(column, "=", hash).executeTakeFirst();
}

/** Notes where a browser was sent; what it was sent off with before is worthless then. */
export function setAttemptState(
  { kysely }: Database,
  { ticket_hash: ticketHash }: Pick<ChatAttemptTable, "ticket_hash">,
  hashes: { state_hash: string; browser_hash: string },
): TransactionStep {
  const query = kysely
    .updateTable("chat_attempts")
    .set(hashes)
    .where("ticket_hash", "=", ticketHash)
    .compile();
  return { query, mustChange: true };
}

/** Uses an attempt up; undoes all when it was used already. */
export function takeAttempt(
  { kysely }: Database,
  { ticket_hash: ticketHash, state_hash: stateHash }: ChatAttemptTable,
): TransactionStep {
  const query = kysely
    .deleteFrom("chat_attempts")
    .where("ticket_hash", "=", ticketHash)
    .where("state_hash", "=", stateHash)
    .compile();
  return { query, mustChange: true };
}

export async function deleteOldAttempts({ kysely }: Database, before: number): Promise<void> {
  await kysely.deleteFrom("chat_attempts").where("expires_at", "<", before).execute();
}
