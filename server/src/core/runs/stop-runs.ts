import type { RunsContext } from "./context.ts";
import { interruption } from "./execute-run.ts";

/**
 * Takes no more runs, waits up to `graceMs` for those under way, then interrupts the rest and waits until
 * their ends are written. Runs that wait stay in the queue, for another node or the next start. The sandbox
 * must not be stopped before.
 */
export async function stopRuns(context: RunsContext, graceMs: number): Promise<void> {
  context.cluster.isStopping = true;
  context.runs.completions.release();
  await context.runs.queue.stop();
  const ends = () => Promise.all([...context.runs.activeRuns.values()].map(({ ended }) => ended));
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([ends(), grace]);
  clearTimeout(timer);
  // A request that was let in just before may have begun a run since.
  while (context.runs.activeRuns.size > 0) {
    // What a run runs itself is cancelled when it ends, whatever ends it.
    for (const { abort, parent } of context.runs.activeRuns.values()) {
      if (parent === undefined) abort.abort(interruption);
    }
    await ends();
  }
}
