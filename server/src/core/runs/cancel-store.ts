import { sql } from "kysely";
import type { Database, RunTable } from "#db";

/** Runs of a workspace, or of one person in it, that somebody wants stopped and that go on. */
export async function findCancelledRuns(
  db: Database,
  { workspaceId, userId }: { workspaceId: string; userId?: string },
): Promise<RunTable[]> {
  let query = db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", sql.lit("running"))
    .where("cancel_requested", "=", 1);
  if (userId !== undefined) query = query.where("user_id", "=", userId);
  return query.execute();
}
