import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, RunTable } from "#db";

/** Marks a run as cancelled for the node that executes it; changes nothing when it has ended. */
export function requestCancel(db: Database, runId: string): CompiledQuery {
  return db.kysely
    .updateTable("runs")
    .set({ cancel_requested: 1 })
    .where("id", "=", runId)
    .where("status", "=", "running")
    .compile();
}

/** IDs of the runs of a node that are marked as cancelled. */
export async function findCancelRequests(db: Database, nodeId: string): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("runs")
    .select("id")
    .where("status", "=", "running")
    .where("node_id", "=", nodeId)
    .where("cancel_requested", "=", 1)
    .execute();
  return rows.map(({ id }) => id);
}

/** Runs of a workspace; of one user or one batch in it, if given. */
export type CancelledRuns = { workspaceId: string; userId?: string; batchId?: string };

/** Those that are unfinished and marked as cancelled. */
export async function findCancelledRuns(
  db: Database,
  { workspaceId, userId, batchId }: CancelledRuns,
): Promise<RunTable[]> {
  let query = db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", sql.lit("running"))
    .where("cancel_requested", "=", 1);
  if (batchId !== undefined) query = query.where("batch_id", "=", batchId);
  if (userId !== undefined) query = query.where("user_id", "=", userId);
  return query.execute();
}
