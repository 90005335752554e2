import type { Progress } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { getRun } from "./get-run.ts";
import { nextChange } from "./next-change.ts";
import { watchVisibility } from "./watch-visibility.ts";

/** How often a run on another node is looked at: less often than for a log, since nobody reads along. */
const lookIntervalMs = 1_000;

/**
 * Tells of a run's progress as it changes, on whatever node it is, until the signal ends it or the caller may not see the run.
 * Never rejects: what fails meanwhile is reported to the caller that waits for the run's end.
 */
export async function followProgress(
  context: RunsContext,
  caller: Caller,
  runId: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<void> {
  const isVisible = lookForVisibility(context, caller, runId);
  let shown: string | undefined;
  while (!signal.aborted && !context.cluster.isStopping) {
    const active = context.runs.activeRuns.get(runId);
    const progress =
      active === undefined ? await findProgress(context, caller, runId) : (active.progress ?? null);
    if (progress === undefined) return;
    const text = JSON.stringify(progress);
    if (progress !== null && text !== shown) {
      // This process knows the progress of everybody's runs.
      const mayShow = await isVisible();
      if (mayShow === false || signal.aborted) return;
      if (mayShow === true) {
        onProgress(progress);
        shown = text;
      }
    }
    await nextChange(context.runs.activeRuns.get(runId), signal, lookIntervalMs);
  }
}

/** Whether the caller may see the run at the moment; undefined while the database does not say. */
function lookForVisibility(context: RunsContext, caller: Caller, runId: string) {
  let look: (() => Promise<boolean>) | undefined;
  return async (): Promise<boolean | undefined> => {
    try {
      look ??= await watchVisibility(context, caller, runId);
      return await look();
    } catch (error) {
      if (error instanceof ServiceError && error.code === "run_not_found") return false;
      context.log.debug({ err: error, runId }, "it is not known now who may see a run");
      return undefined;
    }
  };
}

async function findProgress(
  context: RunsContext,
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
