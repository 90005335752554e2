import type { Database } from "#db";

/** Writes that a node lives, forgets those long dead, and answers the database's time in milliseconds. */
export async function sayAlive(
  db: Database,
  { nodeId, keyIds }: { nodeId: string; keyIds: readonly string[] },
  forgetAfterMs: number,
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
  await db.kysely
    .deleteFrom("nodes")
    .where("seen_at", "<", now - forgetAfterMs)
    .execute();
  return now;
}

export async function findLiveNodes(db: Database, deadAfterMs: number): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("nodes")
    .select("id")
    .where((where) => where("seen_at", ">", where(db.now(), "-", deadAfterMs)))
    .execute();
  return rows.map(({ id }) => id);
}

/** The encryption keys of each node that lives, by their names: the one that it seals with first. */
export async function findNodeKeys(
  db: Database,
  deadAfterMs: number,
): Promise<{ id: string; keyIds: string[] }[]> {
  const rows = await db.kysely
    .selectFrom("nodes")
    .select(["id", "key_ids"])
    .where((where) => where("seen_at", ">", where(db.now(), "-", deadAfterMs)))
    .execute();
  return rows.map(({ id, key_ids }) => ({ id, keyIds: key_ids.split(" ") }));
}

export async function forgetNode(db: Database, nodeId: string): Promise<void> {
  await db.kysely.deleteFrom("nodes").where("id", "=", nodeId).execute();
}
