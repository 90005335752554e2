import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import { indexRange } from "#db";
import type { Database, RunBatchTable, TransactionStep } from "#db";
import { notMember } from "../new-run.ts";
import type { NewRun } from "../new-run.ts";

/** Rows per statement, which limits how long other requests wait while one is compiled. */
const rowsAtOnce = 100;

/**
 * The steps that insert queued runs of a batch. Like for single runs, a run is private if its tool is at that time; on PostgreSQL
 * the tool is locked until then.
 */
export async function insertBatch(
  db: Database,
  batch: RunBatchTable,
  runs: readonly NewRun[],
): Promise<CompiledQuery[]> {
  const lock = db.dialect === "postgres" ? sql`for share` : sql``;
  const { tool_id: toolId, workspace_id: workspaceId } = runs[0] ?? { tool_id: "", ...batch };
  const isPrivate = sql<number>`case when (select visibility from tools
    where id = ${toolId} and workspace_id = ${workspaceId} ${lock}) = 'private' then 1 else 0 end`;
  const rows = runs.map((run) => ({
    ...run,
    batch_id: batch.id,
    cancel_requested: 0,
    logs_truncated: 0,
    is_private: run.is_private === 1 ? 1 : isPrivate,
  }));
  const steps = [db.kysely.insertInto("run_batches").values(batch).compile()];
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const some = rows.slice(first, first + rowsAtOnce);
    steps.push(db.kysely.insertInto("runs").values(some).compile());
    await nextTurn();
  }
  return steps;
}

/**
 * The step that goes before: the user may have been removed since the request was authenticated. On PostgreSQL a removal waits for
 * the batch, and then cancels it.
 */
export function checkMembership(db: Database, { workspaceId, userId }: RunViewer): TransactionStep {
  const lock = db.dialect === "postgres" ? sql`for share` : sql``;
  const query = sql`select 1 from members
    where workspace_id = ${workspaceId} and user_id = ${userId} ${lock}`;
  return { query: query.compile(db.kysely), mustChange: true, refusal: notMember };
}

/** The number of a batch's runs with a status. */
export type StateCount = { status: string; queued: number; runs: number };

/** A batch with the counts of its runs. */
export type CountedBatch = { batch: RunBatchTable; counts: StateCount[] };

/** A batch with the counts of its runs. Undefined unless it is the viewer's, or has runs and the viewer may see all of them. */
export async function findBatch(
  db: Database,
  viewer: RunViewer,
  id: string,
): Promise<CountedBatch | undefined> {
  const batch = await db.kysely
    .selectFrom("run_batches")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", viewer.workspaceId)
    .executeTakeFirst();
  if (batch === undefined) return undefined;
  const [counted] = await countVisible(db, viewer, [batch]);
  return counted;
}

/** The next batches of a workspace, newest first. */
export async function findBatches(
  db: Database,
  { workspaceId }: RunViewer,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<RunBatchTable[]> {
  const range = { columns: { workspace_id: workspaceId }, before: after };
  const { isWithin, newestFirst } = indexRange(db, range);
  return db.kysely
    .selectFrom("run_batches")
    .selectAll()
    .where(isWithin)
    .orderBy(newestFirst)
    .limit(limit)
    .execute();
}

/** Those of some batches that are the viewer's, or that have runs and the viewer may see all of them, with the counts of their runs. */
export async function countVisible(
  db: Database,
  viewer: RunViewer,
  batches: readonly RunBatchTable[],
): Promise<CountedBatch[]> {
  if (batches.length === 0) return [];
  const ids = batches.map(({ id }) => id);
  const rows = await db.kysely
    .selectFrom("runs")
    .select(["batch_id", "status", "queued", isRunVisible(viewer).as("isVisible")])
    .select(db.kysely.fn.countAll<number>().as("runs"))
    .where("workspace_id", "=", viewer.workspaceId)
    .where("batch_id", "in", ids)
    // Repeats the condition of the partial index.
    .where("batch_id", "is not", null)
    .groupBy(["batch_id", "status", "queued", "isVisible"])
    .execute();
  const counts = Map.groupBy(rows, (row) => row.batch_id);
  return batches.flatMap((batch) => {
    const own = counts.get(batch.id) ?? [];
    const isAllVisible = own.length > 0 && own.every(({ isVisible }) => isVisible);
    const isShown = batch.user_id === viewer.userId || isAllVisible;
    return isShown ? [{ batch, counts: own }] : [];
  });
}

/** The steps that mark a batch and its unfinished runs as cancelled. */
export function cancelBatchSteps(
  db: Database,
  { id, workspace_id: workspaceId }: Pick<RunBatchTable, "id" | "workspace_id">,
): CompiledQuery[] {
  return [
    db.kysely.updateTable("run_batches").set({ is_cancelled: 1 }).where("id", "=", id).compile(),
    db.kysely
      .updateTable("runs")
      .set({ cancel_requested: 1 })
      .where("workspace_id", "=", workspaceId)
      .where("batch_id", "=", id)
      .where("status", "=", "running")
      .compile(),
  ];
}
