import type { RunErrorCode } from "@toolhost/contract";
import type { RunsContext } from "./context.ts";
import { findIsIdempotent } from "#core/catalog";
import type { RunTable } from "#db";
import { requeueRun } from "./queue-store.ts";
import { broadcast } from "./relay/node-messages.ts";
import { endRun, findAbandonedRuns, findRunsOfNode } from "./run-store.ts";
import { runEnd } from "./settle-run.ts";

/** How often a run of a tool that calls itself idempotent is begun, at most. */
const maxAttempts = 3;

/**
 * Sees to the runs of nodes that are no more, so that none stays `running` for ever: those of tools that
 * call themselves idempotent go back into the queue, the others end. Safe to call from several nodes at
 * once. Answers how many it saw to.
 */
export async function takeOverRuns(
  context: RunsContext,
  liveNodeIds: readonly string[],
): Promise<number> {
  const rows = await findAbandonedRuns(context.db, liveNodeIds);
  // On the embedded database the process was this one's predecessor, which somebody stopped.
  const code = context.db.dialect === "sqlite" ? "interrupted" : "sandbox_lost";
  return seeTo(context, rows, code);
}

/** Longer than the statement that begins a run may take: one that was just accepted has begun by then. */
const begunAfterMs = 15_000;

/**
 * The same for the runs of this node that nobody works on: those whose beginning was written although the
 * database could not say so. Answers how many it saw to.
 */
export async function takeOverForgottenRuns(context: RunsContext): Promise<number> {
  const before = context.clock.now() - begunAfterMs;
  const rows = await findRunsOfNode(context.db, context.nodeId, before);
  const forgotten = rows.filter(({ id }) => !context.runs.activeRuns.has(id));
  return seeTo(context, forgotten, "sandbox_lost");
}

async function seeTo(
  context: RunsContext,
  rows: readonly RunTable[],
  code: RunErrorCode,
): Promise<number> {
  let done = 0;
  for (const row of rows) {
    const isMine = (await mayBeTakenAgain(context, row))
      ? await requeueRun(context.db, row)
      : await endLostRun(context, row, code);
    if (isMine) done += 1;
  }
  if (done > 0) {
    context.runs.queue.wake();
    broadcast(context, { kind: "queued" });
    context.log.warn({ runs: done }, "saw to runs that nobody worked on any more");
  }
  return done;
}

async function mayBeTakenAgain(context: RunsContext, row: RunTable): Promise<boolean> {
  if (row.attempt >= maxAttempts || row.cancel_requested === 1) return false;
  // Its parent is gone too, and asks anew when it is taken again.
  if (row.parent_run_id !== null) return false;
  // Whoever tries something out sees what happened, and tries again.
  if (row.draft_id !== null) return false;
  return findIsIdempotent(context.db, row.tool_id, row.tool_version);
}

async function endLostRun(
  context: RunsContext,
  row: RunTable,
  code: RunErrorCode,
): Promise<boolean> {
  const message = "The process that worked on the run ended. Run the tool again.";
  const isCancelled = row.cancel_requested === 1;
  const isEnded = await endRun(
    context.db,
    runEnd(context, row, {
      columns: {
        status: isCancelled ? "cancelled" : "failed",
        queued: 0,
        output: null,
        error: isCancelled ? null : JSON.stringify({ code, message }),
        progress: row.progress,
        started_at: row.started_at,
        finished_at: context.clock.now(),
        duration_ms: null,
        cpu_ms: null,
        logs_truncated: 0,
        egress: null,
        credentials: null,
        sealed_input: null,
      },
      log: undefined,
      credentials: [],
    }),
  );
  if (isEnded) {
    context.runs.completions.notify(row.id);
    broadcast(context, { kind: "ended", runId: row.id });
  }
  return isEnded;
}

/** Ends a run that was cancelled while it waited; false when a node has just taken it. */
export async function endWaitingRun(context: RunsContext, row: RunTable): Promise<boolean> {
  return endLostRun(context, { ...row, cancel_requested: 1 }, "interrupted");
}
