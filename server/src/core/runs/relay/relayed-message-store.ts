import { sql } from "kysely";
import type { Database, RelayedMessageTable, TransactionStep } from "#db";

export async function insertMessage(db: Database, row: RelayedMessageTable): Promise<void> {
  await db.kysely.insertInto("relayed_messages").values(row).execute();
}

/** How many messages, and characters of their bodies, are stored or read at once. A message that is alone may be longer. */
export type MessageLimits = { maxCount: number; maxLength: number };

/** Inserts a message unless its address has too many. False if it has. */
export async function insertWithin(
  { kysely }: Database,
  { id, address, body, created_at: at }: RelayedMessageTable,
  { maxCount, maxLength }: MessageLimits,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into relayed_messages (id, address, body, created_at)
    select ${id}, ${address}, ${body}, cast(${at} as bigint)
    where (select count(*) = 0
        or (count(*) < ${maxCount} and sum(length(body)) <= ${maxLength - body.length})
      from relayed_messages where address = ${address})`.execute(kysely);
  return numAffectedRows > 0n;
}

/** The oldest messages for an address, which stay. */
export async function readMessages(
  { kysely }: Database,
  address: string,
  { maxCount, maxLength }: MessageLimits,
): Promise<string[]> {
  const found = await kysely
    .selectFrom("relayed_messages")
    .select(["id", sql<number>`length(body)`.as("length")])
    .where("address", "=", address)
    .orderBy("id")
    .limit(maxCount)
    .execute();
  let total = 0;
  const ids = found.flatMap(({ id, length }, index) => {
    total += length;
    return index === 0 || total <= maxLength ? [id] : [];
  });
  if (ids.length === 0) return [];
  const rows = await kysely
    .selectFrom("relayed_messages")
    .select("body")
    .where("address", "=", address)
    .where("id", "in", ids)
    .orderBy("id")
    .execute();
  return rows.map(({ body }) => body);
}

export async function deleteMessages(
  { kysely }: Database,
  address: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await kysely
    .deleteFrom("relayed_messages")
    .where("address", "=", address)
    .where("id", "in", ids)
    .execute();
}

/** Deletes the messages for an address and returns their bodies in the order of their IDs. */
export async function takeMessages(db: Database, address: string): Promise<string[]> {
  const taken = await db.kysely
    .deleteFrom("relayed_messages")
    .where("address", "=", address)
    .returning(["id", "body"])
    .execute();
  return taken.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ body }) => body);
}

/** The steps that replace the messages for an address by one for another address. They fail if there are none. */
export function replaceMessages(
  { kysely }: Database,
  address: string,
  row: RelayedMessageTable,
): TransactionStep[] {
  const query = kysely.deleteFrom("relayed_messages").where("address", "=", address).compile();
  return [{ query, mustChange: true }, kysely.insertInto("relayed_messages").values(row).compile()];
}

export async function deleteOlderThan(db: Database, at: number): Promise<void> {
  await db.kysely.deleteFrom("relayed_messages").where("created_at", "<", at).execute();
}
