import { sql } from "kysely";
import type { ChatAttemptTable, ConnectionAttemptTable, Database, TransactionStep } from "#db";

type Tables = { chat_attempts: ChatAttemptTable; connection_attempts: ConnectionAttemptTable };

export type AttemptTable = keyof Tables;
export type AttemptRow<T extends AttemptTable = AttemptTable> = Tables[T];

/** The columns that the OAuth flow itself uses. */
export type FlowColumns = "ticket_hash" | "state_hash" | "browser_hash" | "expires_at";

export function insertAttempt<T extends AttemptTable>(
  { kysely }: Database,
  table: T,
  row: Omit<AttemptRow<T>, FlowColumns> & Pick<AttemptRow, FlowColumns>,
): TransactionStep {
  const columns = Object.keys(row).map((name) => sql.ref(name));
  const values = Object.values(row);
  return sql`
    insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(values)})
  `.compile(kysely);
}

/** Finds an attempt by the hash of the secret in its link or of its state. */
export async function findAttempt<T extends AttemptTable>(
  { kysely }: Database,
  table: T,
  column: "ticket_hash" | "state_hash",
  hash: string,
): Promise<AttemptRow<T> | undefined> {
  const { rows } = await sql<AttemptRow<T>>`
    select * from ${sql.table(table)} where ${sql.ref(column)} = ${hash}
  `.execute(kysely);
  return rows[0];
}

/** Stores the state of the latest redirect to the provider; earlier ones become invalid. */
export function setAttemptState(
  { kysely }: Database,
  table: AttemptTable,
  { ticket_hash: ticketHash, workspace_id: workspaceId }: AttemptRow,
  hashes: { state_hash: string; browser_hash: string },
): TransactionStep {
  const query = kysely
    .updateTable(table)
    .set(hashes)
    .where("ticket_hash", "=", ticketHash)
    .where("workspace_id", "=", workspaceId)
    .compile();
  return { query, mustChange: true };
}

/** Deletes the attempt, so that it is used once. Rolls back if it was used, was restarted or has expired. */
export function takeAttempt(
  { kysely }: Database,
  table: AttemptTable,
  { ticket_hash: ticketHash, state_hash: stateHash, workspace_id: workspaceId }: AttemptRow,
  now: number,
): TransactionStep {
  const query = kysely
    .deleteFrom(table)
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
    kysely.deleteFrom(table).where("expires_at", "<=", now).compile(),
  );
}
