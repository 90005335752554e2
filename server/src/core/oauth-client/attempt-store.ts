import type { ChatAttemptTable, ConnectionAttemptTable, Database, TransactionStep } from "#db";

type Tables = { chat_attempts: ChatAttemptTable; connection_attempts: ConnectionAttemptTable };

export type AttemptTable = keyof Tables;
export type AttemptRow<T extends AttemptTable = AttemptTable> = Tables[T];

/** The statements name the columns that both tables have, so they are typed by one of them. */
const typed = (table: AttemptTable) => table as "chat_attempts";

export function insertAttempt<T extends AttemptTable>(
  { kysely }: Database,
  table: T,
  row: AttemptRow<T>,
): TransactionStep {
  return kysely
    .insertInto(typed(table))
    .values(row as AttemptRow<"chat_attempts">)
    .compile();
}

/** Finds an attempt by the hash of the secret in its link or of its state. */
export async function findAttempt<T extends AttemptTable>(
  { kysely }: Database,
  table: T,
  column: "ticket_hash" | "state_hash",
  hash: string,
): Promise<AttemptRow<T> | undefined> {
  const row = await kysely
    .selectFrom(typed(table))
    .selectAll()
    .where(column, "=", hash)
    .executeTakeFirst();
  return row as AttemptRow<T> | undefined;
}

/** Stores the state that a browser leaves with, which replaces the one before. */
export function setAttemptState(
  { kysely }: Database,
  table: AttemptTable,
  { ticket_hash: ticketHash, workspace_id: workspaceId }: AttemptRow,
  hashes: { state_hash: string; browser_hash: string },
): TransactionStep {
  const query = kysely
    .updateTable(typed(table))
    .set(hashes)
    .where("ticket_hash", "=", ticketHash)
    .where("workspace_id", "=", workspaceId)
    .compile();
  return { query, mustChange: true };
}

/** Changes nothing when the attempt was used before, was started again or has expired. */
export function takeAttempt(
  { kysely }: Database,
  table: AttemptTable,
  { ticket_hash: ticketHash, state_hash: stateHash, workspace_id: workspaceId }: AttemptRow,
  now: number,
): TransactionStep {
  const query = kysely
    .deleteFrom(typed(table))
    .where("ticket_hash", "=", ticketHash)
    .where("state_hash", "=", stateHash)
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", now)
    .compile();
  return { query, mustChange: true };
}

/** Deletes the expired attempts of all workspaces. */
export function deleteExpired({ kysely }: Database, now: number): TransactionStep[] {
  return (["chat_attempts", "connection_attempts"] as const).map((table) =>
    kysely.deleteFrom(typed(table)).where("expires_at", "<=", now).compile(),
  );
}
