import { shutdown } from "./active-runs.ts";
import type { RunsContext } from "./context.ts";
import { within } from "./wait.ts";

/**
 * Shuts down gracefully: claims no more runs, waits up to `graceMs` for the running ones, then interrupts the rest and waits until
 * their ends are written. Queued runs stay in the queue, for another node or the next start. Call it before the sandbox is
 * stopped.
 */
export async function stopRuns(
  { cluster, runs }: Pick<RunsContext, "cluster" | "runs">,
  graceMs: number,
): Promise<void> {
  const { activeRuns, completions, queue } = runs;
  cluster.isStopping = true;
  completions.release();
  await queue.stop();
  const ends = () => Promise.all([...activeRuns.values()].map(({ ended }) => ended));
  await within(ends(), graceMs);
  // A request that was accepted just before may have started a run since.
  while (activeRuns.size > 0) {
    // A child run is cancelled when its parent ends.
    for (const { abort, parent } of activeRuns.values()) {
      if (parent === undefined) abort.abort(shutdown);
    }
    await ends();
  }
}
