import { sql } from "kysely";
import type { Database } from "#db";

/**
 * Acquires or renews the lock on a task for one node, for `lockMs`. Returns false while another node has it. The lock of a
 * node that stopped expires.
 */
export async function acquireTaskLock(
  db: Database,
  { name, nodeId, lockMs }: { name: string; nodeId: string; lockMs: number },
): Promise<boolean> {
  const until = sql<number>`${db.now()} + ${sql.lit(lockMs)}`;
  const query = db.kysely
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
    .compile();
  return db.transact([{ query, mustChange: true }]);
}
