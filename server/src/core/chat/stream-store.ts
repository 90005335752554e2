import { sql } from "kysely";
import type { Database } from "#db";

type Holding = { name: string; nodeId: string };

/**
 * Acquires or renews the lease of a stream and returns its position; undefined while another node has it. On the
 * embedded database this node always gets it.
 */
export async function acquireStream(
  db: Database,
  { name, platform, nodeId, leaseMs }: Holding & { platform: string; leaseMs: number },
): Promise<{ sealed_position: string | null } | undefined> {
  const until = sql<number>`${db.now()} + ${sql.lit(leaseMs)}`;
  return db.kysely
    .insertInto("chat_streams")
    .values({ name, platform, holder: nodeId, held_until: until, sealed_position: null })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder: nodeId, held_until: until })
        .where((row) =>
          db.dialect === "sqlite"
            ? sql<boolean>`true`
            : row.or([
                row("chat_streams.holder", "=", nodeId),
                row("chat_streams.held_until", "<", db.now()),
              ]),
        ),
    )
    .returning("sealed_position")
    .executeTakeFirst();
}

/** Updates a stream while this node holds its lease. */
export async function changeStream(
  db: Database,
  { name, nodeId }: Holding,
  change: { sealed_position: string | null } | { problem: string | null },
): Promise<void> {
  const query = db.kysely
    .updateTable("chat_streams")
    .set(change)
    .where("name", "=", name)
    .where("holder", "=", nodeId)
    .compile();
  await db.transact([query]);
}

/** Releases a lease. */
export async function releaseStream(db: Database, { name, nodeId }: Holding): Promise<void> {
  const query = db.kysely
    .updateTable("chat_streams")
    .set({ held_until: 0 })
    .where("name", "=", name)
    .where("holder", "=", nodeId)
    .compile();
  await db.transact([query]);
}

/** The problems of streams with a valid lease. */
export async function findStreamProblems(
  db: Database,
): Promise<{ platform: string; problem: string }[]> {
  return db.kysely
    .selectFrom("chat_streams")
    .select("platform")
    .select((row) => row.fn.max<string>("problem").as("problem"))
    .where("problem", "is not", null)
    .where("held_until", ">", db.now())
    .groupBy("platform")
    .execute();
}
