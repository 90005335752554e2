import type { Database } from "#db";

/** Writes that a node lives, forgets those long dead, and answers the database's time in milliseconds. */
export async function sayAlive(
  db: Database,
  nodeId: string,
  forgetAfterMs: number,
): Promise<number> {
  const { seen_at: now } = await db.kysely
    .insertInto("nodes")
    .values({ id: nodeId, seen_at: db.now() })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: db.now() }))
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

export async function forgetNode(db: Database, nodeId: string): Promise<void> {
  await db.kysely.deleteFrom("nodes").where("id", "=", nodeId).execute();
}
