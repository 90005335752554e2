import { sql } from "kysely";
import { deleteLogs, deleteRuns } from "#core/runs";
import type { Database } from "#db";
import { indexRange } from "#db";
import { idFloor } from "#lib/ids";

const dayMs = 86_400_000;

/** What workspaces may choose to keep for a shorter time than the server does. */
type Kind = "runs" | "logs";
const columns = { runs: "run_retention_days", logs: "log_retention_days" } as const;

/**
 * How far the logs of each workspace were deleted by its own choice. Their runs stay, so without it each sweep would
 * walk over all of them again. A node that starts walks once.
 */
const logPlaces = new WeakMap<Database, Map<string, string>>();

/** Removes a batch of what workspaces chose to keep no longer, of each of them, and answers how many rows it looked at. */
export function removeByChoice(
  db: Database,
  kind: Kind,
  { now, limit }: { now: number; limit: number },
): () => Promise<number> {
  const kept = logPlaces.get(db) ?? new Map<string, string>();
  logPlaces.set(db, kept);
  const places = kind === "logs" ? kept : new Map<string, string>();
  return async () => {
    let count = 0;
    for (const { id: workspaceId, days } of await findChoices(db, kind)) {
      const after = places.get(workspaceId) ?? "";
      const before = idFloor(now - days * dayMs);
      const ids = await findEnded(db, workspaceId, { after, before, limit });
      const last = ids.at(-1);
      if (last === undefined) continue;
      await remove(db, kind, ids);
      places.set(workspaceId, last);
      count += ids.length;
    }
    return count;
  };
}

async function findChoices(db: Database, kind: Kind): Promise<{ id: string; days: number }[]> {
  const column = columns[kind];
  const rows = await db.kysely
    .selectFrom("workspaces")
    .select(["id", column])
    .where(column, "is not", null)
    .where("deleted_at", "is", null)
    .execute();
  return rows.flatMap((row) => {
    const days = row[column];
    return days === null ? [] : [{ id: row.id, days }];
  });
}

/** The oldest runs of a workspace that have ended, in a stretch of their ids. */
export async function findEnded(
  db: Database,
  workspaceId: string,
  { after, before, limit }: { after: string; before: string; limit: number },
): Promise<string[]> {
  const range = { columns: { workspace_id: workspaceId }, from: `${after}.`, before };
  const { isWithin, oldestFirst } = indexRange(db, range);
  const rows = await db.kysely
    .selectFrom("runs")
    .select("id")
    .where(isWithin)
    .where("status", "<>", "running")
    .orderBy(oldestFirst)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function remove(db: Database, kind: Kind, ids: readonly string[]): Promise<void> {
  const logs = deleteLogs(db, sql`run_id in (${sql.join(ids)})`);
  const runs = deleteRuns(db, sql`id in (${sql.join(ids)})`);
  await db.transact(kind === "logs" ? logs : [...runs, ...logs]);
}
