import { wakeOthers } from "../relay/node-messages.ts";
import type { ExecutableRun } from "../active-runs.ts";
import type { RunsContext } from "../context.ts";
import type { RunOutcome } from "../records/present-run.ts";
import { findRun } from "../run-store.ts";
import { addNotStarted } from "./not-started.ts";
import { requeueRun } from "./recovery-store.ts";

/**
 * Queues a run again whose tool this node could not start: another node executes it, or this one when it can. Returns its state,
 * which is its end if another node has ended it.
 */
export async function returnToQueue(context: RunsContext, run: ExecutableRun): Promise<RunOutcome> {
  const { db, runs } = context;
  // If the database does not respond, the recovery of orphaned runs queues it.
  addNotStarted(runs.notStarted, [run.id]);
  const isQueued = await requeueRun(db, run, run.attempt);
  runs.notStarted.delete(run.id);
  if (isQueued) {
    runs.queue.add(run.workspace_id);
    wakeOthers(context);
    const { id, tool_name, is_private } = run;
    const state = { status: "running", queued: 1, output: null, error: null };
    return { id, tool_name, is_private, ...state };
  }
  const row = await findRun(db, { workspaceId: run.workspace_id }, run.id);
  if (row === undefined) throw new Error("The row of a run is missing");
  return row;
}
