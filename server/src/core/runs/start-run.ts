import type { RunsContext } from "./context.ts";
import { findRunnableVersion } from "#core/catalog";
import type { RunnableTool } from "#core/catalog";
import type { RunTable } from "#db";
import { createActiveRun, tellWatchers } from "./active-runs.ts";
import type { ActiveRun, Within } from "./active-runs.ts";
import type { Place } from "./admission.ts";
import { executeRun } from "./execute-run.ts";
import type { WorkableRun } from "./execute-run.ts";
import { wholeInput } from "./recorded-input.ts";
import { broadcast } from "./relay/node-messages.ts";
import type { RunOutcome } from "./run.ts";
import { settleRun } from "./settle-run.ts";

/** Begins the work of a run that was just written, within its parent if it has one, and answers with its end. */
export function startRun(
  context: RunsContext,
  tool: RunnableTool,
  run: WorkableRun,
  { place, within }: { place: Place; within?: Within },
): Promise<RunOutcome> {
  const active = createActiveRun(run, within === undefined ? {} : { within });
  return work(context, run, place, active, async () => ({ tool, input: run.input }));
}

/** Begins the work of a run that came out of the queue. Whoever waits for it is told of its end. */
export function startTakenRun(context: RunsContext, run: RunTable, place: Place): void {
  const active = createActiveRun(run, { hasRemoteWaiters: true });
  if (run.cancel_requested === 1) active.abort.abort();
  const version = {
    id: run.tool_id,
    name: run.tool_name,
    version: run.tool_version,
    isDraft: run.draft_id !== null,
  };
  const find = async () => ({
    tool: await findRunnableVersion(context, version),
    input: wholeInput(context, run),
  });
  // It is logged where it happens, and nobody waits for it here.
  work(context, run, place, active, find).catch(() => undefined);
}

/** Registers the run, so that it can be cancelled, watched and waited for, and works on it to its end. */
function work(
  context: RunsContext,
  run: WorkableRun,
  place: Place,
  active: ActiveRun,
  find: () => Promise<{ tool: RunnableTool; input: string }>,
): Promise<RunOutcome> {
  const outcome = find()
    .then(async ({ tool, input }) => {
      const result = await executeRun(context, tool, { ...run, input }, active, startRun);
      return settleRun(context, tool, run, active, result);
    })
    .finally(() => {
      place.leave();
      context.runs.activeRuns.delete(run.id);
      tellWatchers(active);
      context.runs.completions.notify(run.id);
      if (active.hasRemoteWaiters) broadcast(context, { kind: "ended", runId: run.id });
    });
  active.ended = outcome.then(
    () => undefined,
    (error: unknown) =>
      context.log.error({ err: error, runId: run.id }, "a run's end was not written"),
  );
  context.runs.activeRuns.set(run.id, active);
  return outcome;
}
