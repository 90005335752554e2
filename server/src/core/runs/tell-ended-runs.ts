import type { Context } from "#core/context";
import { findEndedRuns } from "./run-store.ts";

/** Tells those who wait here for runs that other nodes have ended, in case the message of it was lost. */
export async function tellEndedRuns(context: Context): Promise<void> {
  const runIds = context.endings.runIds();
  if (runIds.length === 0) return;
  for (const runId of await findEndedRuns(context.db, runIds)) context.endings.tell(runId);
}
