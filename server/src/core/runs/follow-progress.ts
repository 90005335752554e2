import type { Progress } from "@toolhost/contract";
import type { Caller } from "#core/access";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import { getRun } from "./get-run.ts";
import { nextChange } from "./next-change.ts";

/** How often a run on another node is looked at: less often than for a log, since nobody reads along. */
const lookIntervalMs = 1_000;

/**
 * Tells of a run's progress as it changes, on whatever node it is, until the signal ends it. A run that works
 * here costs the database one look. Ends at once when the caller may not see the run. What fails meanwhile is left to whoever waits for the run's end.
 */
export async function followProgress(
  context: Context,
  caller: Caller,
  runId: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<void> {
  // Before anything is told: this process knows the progress of everybody's runs.
  if ((await findProgress(context, caller, runId)) === undefined) return;
  let shown: string | undefined;
  while (!signal.aborted && !context.cluster.isStopping) {
    const active = context.activeRuns.get(runId);
    const progress =
      active === undefined ? await findProgress(context, caller, runId) : (active.progress ?? null);
    if (signal.aborted) return;
    const text = JSON.stringify(progress);
    if (progress === undefined) return;
    if (progress !== null && text !== shown) onProgress(progress);
    shown = text;
    await nextChange(context.activeRuns.get(runId), signal, lookIntervalMs);
  }
}

async function findProgress(
  context: Context,
  caller: Caller,
  runId: string,
): Promise<Progress | null | undefined> {
  try {
    return (await getRun(context, caller, runId)).progress;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "run_not_found") return undefined;
    context.log.debug({ err: error, runId }, "a run's progress is not known now");
    return null;
  }
}
