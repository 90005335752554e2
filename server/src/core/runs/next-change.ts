import type { ActiveRun } from "./active-runs.ts";

/** Resolves at the next news of a run of this process, else when it is time to look, or the signal ends it. */
export async function nextChange(
  active: ActiveRun | undefined,
  signal: AbortSignal,
  waitMs: number,
): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  const done = () => resolve();
  active?.watchers.add(done);
  signal.addEventListener("abort", done, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    active?.watchers.delete(done);
    signal.removeEventListener("abort", done);
  }
}
