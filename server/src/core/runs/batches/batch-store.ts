import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { isRunVisible, ServiceError } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, RunBatchTable, TransactionStep } from "#db";
import type { NewRun } from "../run-store.ts";

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

function notMember(): ServiceError {
  return new ServiceError("unauthenticated", "You are no longer a member of the workspace.");
}

/** The number of a batch's runs with a status. */
export type StateCount = { status: string; queued: number; runs: number };

/** A batch with the counts of its runs. Undefined unless it is the viewer's, or has runs and the viewer may see all of them. */
export async function findBatch(
  db: Database,
  viewer: RunViewer,
  id: string,
): Promise<{ batch: RunBatchTable; counts: StateCount[] } | undefined> {
  const [batch, counts] = await Promise.all([
    db.kysely
      .selectFrom("run_batches")
      .selectAll()
      .where("id", "=", id)
      .where("workspace_id", "=", viewer.workspaceId)
      .executeTakeFirst(),
    db.kysely
      .selectFrom("runs")
      .select(["status", "queued", isRunVisible(viewer).as("isVisible")])
      .select(db.kysely.fn.countAll<number>().as("runs"))
      .where("workspace_id", "=", viewer.workspaceId)
      .where("batch_id", "=", id)
      .groupBy(["status", "queued", "isVisible"])
      .execute(),
  ]);
  if (batch === undefined) return undefined;
  const isAllVisible = counts.length > 0 && counts.every(({ isVisible }) => isVisible);
  return batch.user_id === viewer.userId || isAllVisible ? { batch, counts } : undefined;
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
