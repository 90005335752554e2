import { sql } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, RunTable } from "#db";

/** A run, if the viewer may see it. */
export async function findVisibleRun(
  db: Database,
  viewer: RunViewer,
  runId: string,
): Promise<RunTable | undefined> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("id", "=", runId)
    .where("workspace_id", "=", viewer.workspaceId)
    .where(isRunVisible(viewer))
    .executeTakeFirst();
}

const maxKeyedRuns = 20;

export type KeyRange = {
  /** The common prefix of the IDs of the keys' records. */
  start: string;
  /** An ID of this server that is older than all of them. */
  sinceId: string;
};

/** The viewer's own runs whose Idempotency-Keys have a common prefix, oldest first. */
export async function findKeyedRows(
  db: Database,
  { workspaceId, userId }: RunViewer,
  { start, sinceId }: KeyRange,
): Promise<RunTable[]> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", ">", sinceId)
    .where("user_id", "=", userId)
    .where(sql<boolean>`substr(idempotency_id, 1, ${start.length}) = ${start}`)
    .orderBy("id")
    .limit(maxKeyedRuns)
    .execute();
}
