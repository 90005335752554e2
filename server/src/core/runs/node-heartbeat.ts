import type { Context } from "#core/context";
import type { Database } from "#db";
import { endAbandonedRuns } from "./end-abandoned-runs.ts";

/** A node that has not been seen for so long is taken for dead. */
const deadAfterMs = 15_000;

/**
 * Says that this node lives and ends the runs of nodes that no longer do. All times are the database's,
 * so clocks of nodes may differ.
 */
export async function beat(context: Context): Promise<void> {
  const { db, nodeId } = context;
  await sayAlive(db, nodeId);
  const live = db.dialect === "sqlite" ? [nodeId] : await findLiveNodes(db);
  const ended = await endAbandonedRuns(
    context,
    live,
    db.dialect === "sqlite" ? "interrupted" : "sandbox_lost",
  );
  if (ended > 0) context.log.warn({ ended }, "ended runs of a process that is no more");
}

async function sayAlive(db: Database, nodeId: string): Promise<void> {
  await db.kysely
    .insertInto("nodes")
    .values({ id: nodeId, seen_at: db.now() })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: db.now() }))
    .execute();
  await db.kysely
    .deleteFrom("nodes")
    .where((where) => where("seen_at", "<", where(db.now(), "-", 10 * deadAfterMs)))
    .execute();
}

async function findLiveNodes(db: Database): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("nodes")
    .select("id")
    .where((where) => where("seen_at", ">", where(db.now(), "-", deadAfterMs)))
    .execute();
  return rows.map(({ id }) => id);
}
