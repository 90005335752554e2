import { sql } from "kysely";
import { deleteLogs, deleteRuns } from "#core/runs";
import type { Database } from "#db";
import { indexRange } from "#db";
import { idFloor } from "#lib/ids";

const dayMs = 86_400_000;

/** The data for which workspaces may choose a shorter retention than the server's. */
type Kind = "runs" | "logs";
const columns = { runs: "run_retention_days", logs: "log_retention_days" } as const;

/**
 * The last run of each workspace whose log was deleted. The runs themselves remain, so without the cursor each sweep would
 * scan all of them again. A new node scans once.
 */
const logCursors = new WeakMap<Database, Map<string, string>>();

/** Deletes a batch of each workspace's data that is older than its own retention. Returns how many runs it processed. */
export function deleteByWorkspaceRetention(
  db: Database,
  kind: Kind,
  { now, limit }: { now: number; limit: number },
): () => Promise<number> {
  const stored = logCursors.get(db) ?? new Map<string, string>();
  logCursors.set(db, stored);
  const cursors = kind === "logs" ? stored : new Map<string, string>();
  return async () => {
    let count = 0;
    for (const { id: workspaceId, days } of await findWorkspaceRetentions(db, kind)) {
      const after = cursors.get(workspaceId) ?? "";
      const before = idFloor(now - days * dayMs);
      const ids = await findFinishedRuns(db, workspaceId, { after, before, limit });
      const last = ids.at(-1);
      if (last === undefined) continue;
      await deleteBatch(db, kind, ids);
      cursors.set(workspaceId, last);
      count += ids.length;
    }
    return count;
  };
}

async function findWorkspaceRetentions(
  db: Database,
  kind: Kind,
): Promise<{ id: string; days: number }[]> {
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

/** The oldest finished runs of a workspace in a range of IDs. */
export async function findFinishedRuns(
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

export async function deleteBatch(db: Database, kind: Kind, ids: readonly string[]): Promise<void> {
  const logs = deleteLogs(db, sql`run_id in (${sql.join(ids)})`);
  const runs = deleteRuns(db, sql`id in (${sql.join(ids)})`);
  await db.transact(kind === "logs" ? logs : [...runs, ...logs]);
}
