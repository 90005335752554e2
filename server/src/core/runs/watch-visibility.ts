import type { Caller } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { findHiddenRuns } from "#core/kernel";
import { findRunRow } from "./get-run.ts";

/**
 * Says, each time it is asked, whether the caller may still see a run that this process follows in memory: its tool may
 * become private meanwhile. The person who ran it always may. Throws `run_not_found`.
 */
export async function watchVisibility(
  context: RunsContext,
  caller: Caller,
  runId: string,
): Promise<() => Promise<boolean>> {
  const { user_id: userId } = await findRunRow(context, caller, runId);
  if (userId === caller.userId) return async () => true;
  return async () => (await findHiddenRuns(context.db, caller, [runId])).size === 0;
}
