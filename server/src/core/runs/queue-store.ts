import { sql } from "kysely";
import type { Database, PreparedStatement, RunTable } from "#db";

/** A run that waits belongs to no node. */
export const noNode = "";

export type WaitingRun = { id: string; workspace_id: string };

/**
 * Runs that may start, in the order in which they should: whoever has the fewest at work comes first, so
 * that a long line of one workspace delays no other's first run; then the oldest.
 */
export async function findStartableRuns(
  db: Database,
  limits: { perWorkspace: number; count: number },
): Promise<WaitingRun[]> {
  const { rows } = await sql<WaitingRun>`
    with busy as (
      select workspace_id, count(*) as runs from runs
      where status = 'running' and node_id > '' group by workspace_id
    ), line as (
      select id, workspace_id, row_number() over (partition by workspace_id order by id) as place
      from runs where status = 'running' and queued = 1
    )
    select line.id, line.workspace_id
    from line left join busy on busy.workspace_id = line.workspace_id
    where coalesce(busy.runs, 0) + line.place <= ${limits.perWorkspace}
    order by coalesce(busy.runs, 0) + line.place, line.id
    limit ${limits.count}
  `.execute(db.kysely);
  return rows;
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

/** Workspaces that have runs waiting, with how many. */
export async function findWaitingWorkspaces(db: Database): Promise<Map<string, number>> {
  const rows = await db.kysely
    .selectFrom("runs")
    .select((select) => ["workspace_id", select.fn.countAll<number>().as("runs")])
    .where("status", "=", "running")
    .where("queued", "=", 1)
    .groupBy("workspace_id")
    .execute();
  return new Map(rows.map(({ workspace_id, runs }) => [workspace_id, runs]));
}

const countBusy: PreparedStatement = {
  name: "count_busy_elsewhere",
  text: `select count(*) as busy from runs
    where status = 'running' and node_id > '' and node_id <> ? and workspace_id = ?`,
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
