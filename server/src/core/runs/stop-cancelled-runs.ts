import type { RunsContext } from "./context.ts";
import { findCancelledRuns } from "./cancel-store.ts";
import { broadcast } from "./relay/node-messages.ts";
import { endWaitingRun } from "./take-over-runs.ts";

/**
 * Stops the runs of a workspace, or of one person in it, that are marked as cancelled: at once here, and on
 * other nodes as soon as they hear of it.
 */
export async function stopCancelledRuns(
  context: RunsContext,
  whose: { workspaceId: string; userId?: string },
): Promise<void> {
  for (const run of await findCancelledRuns(context.db, whose)) {
    broadcast(context, { kind: "cancel", runId: run.id });
    if (run.queued === 1) await endWaitingRun(context, run);
    else context.runs.activeRuns.get(run.id)?.abort.abort();
  }
}
