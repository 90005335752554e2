import { sql } from "kysely";
import type { Database, PreparedStatement, RunTable } from "#db";
import { noLoad } from "./admission.ts";
import type { Load } from "./admission.ts";

/** The `node_id` of a queued run. */
export const noNode = "";

/**
 * Workspaces with queued runs, at most `limit`. Skips from one to the next in the index, so the cost depends on the number of
 * workspaces and not of runs.
 */
export async function findQueuedWorkspaces(db: Database, limit: number): Promise<string[]> {
  const queued = sql`from runs where status = 'running' and queued = 1`;
  const { rows } = await sql<{ id: string }>`
    with recursive line (id) as (
      select min(workspace_id) ${queued}
      union all
      select (select min(workspace_id) ${queued} and workspace_id > line.id)
      from line where line.id is not null
    )
    select id from line where id is not null limit ${limit}
  `.execute(db.kysely);
  return rows.map(({ id }) => id);
}

/** The second part is read only if the first has too few rows. */
const findOldest: PreparedStatement = {
  name: "find_oldest_queued_runs",
  text: `
    select id from (select id from runs where status = 'running' and queued = 1 and batch_id is null
      and workspace_id = ? order by id limit ?) as single
    union all
    select id from (select id from runs where status = 'running' and queued = 1
      and batch_id is not null and workspace_id = ? order by id limit ?) as batched
    limit ?`,
};

/** IDs of the runs of a workspace that have been queued longest. Those of batches come after all others. */
export async function findOldestQueued(
  db: Database,
  workspaceId: string,
  count: number,
): Promise<string[]> {
  const values = [workspaceId, count, workspaceId, count, count];
  const rows = await db.query<{ id: string }>(findOldest, values);
  return rows.map(({ id }) => id);
}

/** Counts the running runs of each workspace on all nodes, without child runs. */
export async function countRunning(db: Database): Promise<Map<string, Load>> {
  const rows = await db.kysely
    .selectFrom("runs")
    .select((select) => [
      "workspace_id",
      select.fn.countAll<number>().as("running"),
      select.fn.count<number>("question").as("asking"),
    ])
    .where("status", "=", "running")
    .where("node_id", ">", noNode)
    .where("parent_run_id", "is", null)
    .groupBy("workspace_id")
    .execute();
  return new Map(rows.map(({ workspace_id: workspaceId, ...load }) => [workspaceId, load]));
}

/**
 * Claims queued runs for a node and returns those that it got: another may have been faster. On PostgreSQL it does not wait for a node
 * that is claiming the same runs.
 */
export async function claimRuns(
  db: Database,
  ids: readonly string[],
  nodeId: string,
  now: number,
): Promise<RunTable[]> {
  const queued = db.kysely
    .selectFrom("runs")
    .select("id")
    .where("id", "in", ids)
    .where("status", "=", "running")
    .where("queued", "=", 1);
  return db.kysely
    .updateTable("runs")
    .set({ queued: 0, node_id: nodeId, started_at: now })
    .where("id", "in", db.dialect === "sqlite" ? queued : queued.forUpdate().skipLocked())
    .returningAll()
    .execute();
}

/** Counts queued runs that belong to no batch, of a workspace and in total. */
export async function countQueued(
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
    .where("batch_id", "is", null)
    .executeTakeFirstOrThrow();
  return row;
}

/** Counts the queued runs of all workspaces, and finds when the oldest was created, in Unix milliseconds. */
export async function findQueueSize(
  db: Database,
): Promise<{ queued: number; oldestAt: number | null }> {
  return db.kysely
    .selectFrom("runs")
    .select((select) => [
      select.fn.countAll<number>().as("queued"),
      select.fn.min<number | null>("created_at").as("oldestAt"),
    ])
    .where("status", "=", "running")
    .where("queued", "=", 1)
    .executeTakeFirstOrThrow();
}

/** The workspaces with the most queued runs. */
export async function findMostQueued(
  db: Database,
  count: number,
): Promise<{ workspaceId: string; queued: number }[]> {
  return db.kysely
    .selectFrom("runs")
    .select((select) => ["workspace_id as workspaceId", select.fn.countAll<number>().as("queued")])
    .where("status", "=", "running")
    .where("queued", "=", 1)
    .groupBy("workspace_id")
    .orderBy("queued", "desc")
    .limit(count)
    .execute();
}

const countElsewhere: PreparedStatement = {
  name: "count_load_elsewhere",
  text: `select count(*) as running, count(question) as asking from runs
    where status = 'running' and node_id > '' and node_id <> ? and workspace_id = ?
      and parent_run_id is null`,
};

/** Counts the running runs of a workspace on other nodes. */
export async function countRunningElsewhere(
  db: Database,
  nodeId: string,
  workspaceId: string,
): Promise<Load> {
  const [row] = await db.query<Load>(countElsewhere, [nodeId, workspaceId]);
  return row ?? noLoad;
}
