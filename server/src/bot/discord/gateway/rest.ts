import { setTimeout as sleep } from "node:timers/promises";

/** Pauses, or goes on at once when told to stop. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Waits for some work that is of no interest any more once we are told to stop; then it throws. */
export async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onStop = () => reject(new Error("told to stop"));
  signal.addEventListener("abort", onStop, { once: true });
  if (signal.aborted) onStop();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onStop);
  }
}
