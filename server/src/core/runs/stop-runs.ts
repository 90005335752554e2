import type { Context } from "#core/context";
import { interruption } from "./execute-run.ts";

/**
 * Waits up to `graceMs` for the runs under way, then interrupts the rest and waits until their ends are
 * written. The sandbox must not be stopped before.
 */
export async function stopRuns(context: Context, graceMs: number): Promise<void> {
  const ends = () => Promise.all([...context.activeRuns.values()].map(({ ended }) => ended));
  await Promise.race([ends(), new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
  for (const { abort } of context.activeRuns.values()) abort.abort(interruption);
  await ends();
}
