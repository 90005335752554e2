import { sql } from "kysely";
import type { Database, PreparedStatement, RunTable } from "#db";

/** A run that waits belongs to no node. */
export const noNode = "";

/**
 * Workspaces that have runs waiting, at most `limit`. Hops from one to the next in the index, so that it
 * costs what they are and not what waits.
 */
export async function findWaitingWorkspaces(db: Database, limit: number): Promise<string[]> {
  const waiting = sql`from runs where status = 'running' and queued = 1`;
  const { rows } = await sql<{ id: string }>`
    with recursive line (id) as (
      select min(workspace_id) ${waiting}
      union all
      select (select min(workspace_id) ${waiting} and workspace_id > line.id)
      from line where line.id is not null
    )
    select id from line where id is not null limit ${limit}
  `.execute(db.kysely);
  return rows.map(({ id }) => id);
}

const findFirst: PreparedStatement = {
  name: "find_first_waiting_runs",
  text: `select id from runs where status = 'running' and queued = 1 and workspace_id = ?
    order by id limit ?`,
};

/** The runs of a workspace that have waited longest. */
export async function findFirstWaiting(
  db: Database,
  workspaceId: string,
  count: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(findFirst, [workspaceId, count]);
  return rows.map(({ id }) => id);
}

/** How many runs each workspace has at work, on all nodes; what those run themselves does not count. */
export async function countAtWork(db: Database): Promise<Map<string, number>> {
  const rows = await db.kysely
    .selectFrom("runs")
    .select((select) => ["workspace_id", select.fn.countAll<number>().as("runs")])
    .where("status", "=", "running")
    .where("node_id", ">", noNode)
    .where("parent_run_id", "is", null)
    .groupBy("workspace_id")
    .execute();
  return new Map(rows.map(({ workspace_id, runs }) => [workspace_id, runs]));
}

/** Takes waiting runs for a node and gives back those that it got: another may have been faster. */
export async function takeRuns(
  db: Database,
  ids: readonly string[],
  nodeId: string,
  now: number,
): Promise<RunTable[]> {
  return db.kysely
    .updateTable("runs")
    .set({ queued: 0, node_id: nodeId, started_at: now })
    .where("id", "in", ids)
    .where("status", "=", "running")
    .where("queued", "=", 1)
    .returningAll()
    .execute();
}

/** Puts a run of a node that is no more back into the queue, for its next attempt. */
export async function requeueRun(
  db: Database,
  run: Pick<RunTable, "id" | "node_id" | "attempt">,
): Promise<boolean> {
  const { numUpdatedRows } = await db.kysely
    .updateTable("runs")
    .set({ queued: 1, node_id: noNode, attempt: run.attempt + 1, started_at: null, progress: null })
    .where("id", "=", run.id)
    .where("node_id", "=", run.node_id)
    .where("attempt", "=", run.attempt)
    .where("status", "=", "running")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How many runs wait, of a workspace and of all. */
export async function countWaiting(
  db: Database,
  workspaceId: string,
): Promise<{ own: number; all: number }> {
  const row = await db.kysely
    .selectFrom("runs")
    .select((select) => [
      select.fn.countAll<number>().as("all"),
      sql<number>`coalesce(sum(case when workspace_id = ${workspaceId} then 1 else 0 end), 0)`.as(
        "own",
      ),
    ])
    .where("status", "=", "running")
    .where("queued", "=", 1)
    .executeTakeFirstOrThrow();
  return row;
}

const countBusy: PreparedStatement = {
  name: "count_busy_elsewhere",
  text: `select count(*) as busy from runs
    where status = 'running' and node_id > '' and node_id <> ? and workspace_id = ?
      and parent_run_id is null`,
};

/** How many runs of a workspace are at work on other nodes. */
export async function countBusyElsewhere(
  db: Database,
  nodeId: string,
  workspaceId: string,
): Promise<number> {
  const [row] = await db.query<{ busy: number }>(countBusy, [nodeId, workspaceId]);
  return row?.busy ?? 0;
}
