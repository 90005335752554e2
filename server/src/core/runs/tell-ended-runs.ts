import type { RunsContext } from "./context.ts";
import { findEndedRuns } from "./run-store.ts";

/** Tells those who wait here for runs that other nodes have ended, in case the message of it was lost. */
export async function tellEndedRuns(context: RunsContext): Promise<void> {
  const runIds = context.runs.completions.runIds();
  if (runIds.length === 0) return;
  for (const runId of await findEndedRuns(context.db, runIds))
    context.runs.completions.notify(runId);
}
