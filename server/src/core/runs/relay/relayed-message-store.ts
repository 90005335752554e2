import type { Database, RelayedMessageTable } from "#db";

export async function insertMessage(db: Database, row: RelayedMessageTable): Promise<void> {
  await db.kysely.insertInto("relayed_messages").values(row).execute();
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

export async function deleteOlderThan(db: Database, at: number): Promise<void> {
  await db.kysely.deleteFrom("relayed_messages").where("created_at", "<", at).execute();
}
