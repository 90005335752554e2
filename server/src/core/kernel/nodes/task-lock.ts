import { sql } from "kysely";
import type { Database } from "#db";

type TaskLock = { name: string; nodeId: string; lockMs: number };

/**
 * Acquires or renews the lock on a task for one node, for `lockMs`. Returns false while another node has it. The lock of a
 * node that stopped expires.
 */
export async function acquireTaskLock(db: Database, lock: TaskLock): Promise<boolean> {
  // With many nodes nearly all find the lock taken, and an insert would make them wait for each other's row lock.
  if (await isTaken(db, lock)) return false;
  const { name, nodeId, lockMs } = lock;
  const until = sql<number>`${db.now()} + ${sql.lit(lockMs)}`;
  const acquired = await db.kysely
    .insertInto("task_locks")
    .values({ name, holder: nodeId, expires_at: until })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder: nodeId, expires_at: until })
        .where((where) =>
          where.or([
            where("task_locks.holder", "=", nodeId),
            where("task_locks.expires_at", "<", db.now()),
          ]),
        ),
    )
    .returning("name")
    .execute();
  return acquired.length > 0;
}

async function isTaken(db: Database, { name, nodeId }: TaskLock): Promise<boolean> {
  const taken = await db.kysely
    .selectFrom("task_locks")
    .select("name")
    .where("name", "=", name)
    .where("holder", "<>", nodeId)
    .where("expires_at", ">=", db.now())
    .executeTakeFirst();
  return taken !== undefined;
}
