import { shutdown } from "./active-runs.ts";
import type { RunsContext } from "./context.ts";
import { within } from "#lib/within";

/** How long an accepted run may take to become active before it is interrupted. */
const startPauseMs = 50;

/**
 * Shuts down gracefully: claims no more runs, waits up to `graceMs` for the running ones, then interrupts the rest and waits until
 * their ends are written. Queued runs stay in the queue, for another node or the next start. Call it before the sandbox is
 * stopped.
 */
export async function stopRuns(
  { cluster, runs }: Pick<RunsContext, "cluster" | "runs">,
  graceMs: number,
): Promise<void> {
  const { activeRuns, admission, completions, queue } = runs;
  cluster.isStopping = true;
  completions.release();
  await queue.stop();
  // A run that was accepted just before has a slot, but is not active until it is written.
  await within(admission.idle(), graceMs);
  while (admission.running() > 0) {
    // A child run is cancelled when its parent ends.
    for (const { abort, parent } of activeRuns.values()) {
      if (parent === undefined) abort.abort(shutdown);
    }
    await within(admission.idle(), startPauseMs);
  }
}
