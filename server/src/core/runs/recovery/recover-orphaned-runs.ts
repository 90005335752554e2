import type { RunErrorCode } from "@toolhost/contract";
import { findIsIdempotent } from "#core/catalog";
import type { RunTable } from "#db";
import type { RunsContext } from "../context.ts";
import { finalizeLostRun } from "../finalize.ts";
import { announceQueued } from "../relay/node-messages.ts";
import { findOrphanedRuns, findRunsOfNode, requeueRun } from "./recovery-store.ts";

/** How often a run of an idempotent tool is attempted, at most. */
const maxAttempts = 3;

/**
 * Recovers the runs of offline nodes, so that none stays `running` forever: those of idempotent tools are queued again,
 * the others end. Safe to call from several nodes concurrently. Returns how many this call recovered.
 */
export async function recoverOrphanedRuns(
  context: RunsContext,
  liveNodeIds: readonly string[],
): Promise<number> {
  const rows = await findOrphanedRuns(context.db, liveNodeIds);
  // On the embedded database, the offline node is the previous process, which was stopped.
  const code = context.db.dialect === "sqlite" ? "interrupted" : "sandbox_lost";
  return recover(context, rows, code);
}

/** Longer than the statement that writes a run may take: a run that was just accepted is active by then. */
const activeAfterMs = 15_000;

/**
 * Recovers the runs of this node that it does not execute: those whose insert or claim succeeded although the database could
 * not confirm it. Returns how many this call recovered.
 */
export async function recoverOwnOrphanedRuns(context: RunsContext): Promise<number> {
  const before = context.clock.now() - activeAfterMs;
  const rows = await findRunsOfNode(context.db, context.nodeId, before);
  const orphaned = rows.filter(({ id }) => !context.runs.activeRuns.has(id));
  return recover(context, orphaned, "sandbox_lost", context.runs.notStarted);
}

async function recover(
  context: RunsContext,
  rows: readonly RunTable[],
  code: RunErrorCode,
  notStarted: ReadonlySet<string> = new Set(),
): Promise<number> {
  let count = 0;
  for (const row of rows) {
    const isRecovered = (await mayRetry(context, row, notStarted.has(row.id)))
      ? await requeueRun(context.db, row)
      : await finalizeLostRun(context, row, row.cancel_requested === 1 ? "cancelled" : code);
    if (isRecovered) count += 1;
  }
  if (count > 0) {
    announceQueued(context);
    const nodeIds = [...new Set(rows.map((row) => row.node_id))];
    context.log.warn({ runs: count, nodeIds }, "recovered orphaned runs");
  }
  return count;
}

async function mayRetry(
  context: RunsContext,
  row: RunTable,
  hasNotStarted: boolean,
): Promise<boolean> {
  if (row.attempt >= maxAttempts || row.cancel_requested === 1) return false;
  if (hasNotStarted) return true;
  // The parent is orphaned too, and starts new child runs when it is retried.
  if (row.parent_run_id !== null) return false;
  // The author who tries out a draft sees the failure, and decides.
  if (row.draft_id !== null) return false;
  return findIsIdempotent(context.db, row.tool_id, row.tool_version);
}
