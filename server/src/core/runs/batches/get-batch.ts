import type { RunBatch } from "@toolhost/contract";
import { auditInsert, commitWrite, lostKey, notFound, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { RunBatchTable } from "#db";
import { toTimestamp } from "#lib/clock";
import { isId } from "#lib/ids";
import { stopCancelledRuns } from "../cancel.ts";
import type { RunsContext } from "../context.ts";
import { cancelBatchSteps, findBatch } from "./batch-store.ts";
import type { StateCount } from "./batch-store.ts";

/** A batch, for its creator, and for others who may see all its runs. Throws `not_found`. */
export async function getRunBatch(
  context: RunsContext,
  caller: Caller,
  batchId: string,
): Promise<RunBatch> {
  const { batch, counts } = await findVisibleBatch(context, caller, batchId);
  return presentBatch(batch, counts);
}

/**
 * Cancels the unfinished runs of a batch, and returns it immediately: running runs end within seconds. Throws `not_found`, and
 * `run_not_cancellable` if all have ended.
 */
export async function cancelRunBatch(
  context: RunsContext,
  caller: Caller,
  batchId: string,
): Promise<RunBatch> {
  const { batch, counts } = await findVisibleBatch(context, caller, batchId);
  if (!counts.some(({ status }) => status === "running")) {
    throw new ServiceError("run_not_cancellable", `All runs of batch ${batchId} have ended.`);
  }
  const shown = presentBatch({ ...batch, is_cancelled: 1 }, counts);
  const isWritten = await commitWrite(context, caller, shown, [
    ...cancelBatchSteps(context.db, batch),
    auditInsert(context, caller, {
      action: "run_batch.cancel",
      target: batch.id,
      details: { toolName: batch.tool_name },
    }),
  ]);
  if (!isWritten) throw lostKey();
  // If this process dies, runs that are claimed later stop because they are marked.
  stopCancelledRuns(context, { workspaceId: caller.workspaceId, batchId }).catch((error: unknown) =>
    context.log.warn({ err: error, batchId }, "could not stop all runs of a cancelled batch"),
  );
  return shown;
}

async function findVisibleBatch({ db }: RunsContext, caller: Caller, id: string) {
  const found = isId(id) ? await findBatch(db, caller, id) : undefined;
  if (found === undefined) throw notFound("not_found", "batch of runs", { id });
  return found;
}

/** The batch as REST returns it. */
export function presentBatch(row: RunBatchTable, counts: readonly StateCount[]): RunBatch {
  const count = (isCounted: (one: StateCount) => boolean) =>
    counts.filter(isCounted).reduce((sum, { runs }) => sum + runs, 0);
  const ended = (status: string) => count((one) => one.status === status);
  const queued = count((one) => one.status === "running" && one.queued === 1);
  const running = count((one) => one.status === "running" && one.queued !== 1);
  const isOver = queued + running === 0;
  return {
    batchId: row.id,
    toolName: row.tool_name,
    status: !isOver ? "running" : row.is_cancelled === 1 ? "cancelled" : "completed",
    total: row.total,
    counts: {
      queued,
      running,
      completed: ended("completed"),
      failed: ended("failed"),
      cancelled: ended("cancelled"),
    },
    createdAt: toTimestamp(row.created_at),
    userId: row.user_id,
  };
}
