/** Resolves after the time. Rejects with the reason of the signal if it aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** The pause before retry number `attempt`, from 0: doubles up to 10 seconds, with jitter so that clients spread out. */
export function backoffMs(attempt: number): number {
  return Math.min(10_000, 300 * 2 ** attempt) * (0.5 + Math.random() / 2);
}
