import type { Database } from "#db";

/** Records a node's heartbeat, and returns the database's time in milliseconds. */
export async function saveHeartbeat(
  db: Database,
  { nodeId, keyIds }: { nodeId: string; keyIds: readonly string[] },
): Promise<number> {
  const keys = keyIds.join(" ");
  const { seen_at: now } = await db.kysely
    .insertInto("nodes")
    .values({ id: nodeId, seen_at: db.now(), key_ids: keys })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ seen_at: db.now(), key_ids: keys }),
    )
    .returning("seen_at")
    .executeTakeFirstOrThrow();
  return now;
}

/** Deletes the nodes that were last seen before a time. */
export async function deleteLostNodes(db: Database, before: number): Promise<void> {
  await db.kysely.deleteFrom("nodes").where("seen_at", "<", before).execute();
}

export async function findLiveNodes(db: Database, offlineAfterMs: number): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("nodes")
    .select("id")
    .where((where) => where("seen_at", ">", where(db.now(), "-", offlineAfterMs)))
    .execute();
  return rows.map(({ id }) => id);
}

/** Which of these nodes are recorded, live or not. */
export async function findNodes(db: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await db.kysely.selectFrom("nodes").select("id").where("id", "in", ids).execute();
  return rows.map(({ id }) => id);
}

/** IDs of the encryption keys of each live node, starting with the one that it encrypts with. */
export async function findNodeKeys(
  db: Database,
  offlineAfterMs: number,
): Promise<{ id: string; keyIds: string[] }[]> {
  const rows = await db.kysely
    .selectFrom("nodes")
    .select(["id", "key_ids"])
    .where((where) => where("seen_at", ">", where(db.now(), "-", offlineAfterMs)))
    .execute();
  return rows.map(({ id, key_ids }) => ({ id, keyIds: key_ids.split(" ") }));
}

export async function deleteNode(db: Database, nodeId: string): Promise<void> {
  await db.kysely.deleteFrom("nodes").where("id", "=", nodeId).execute();
}
