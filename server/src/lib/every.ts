/**
 * Calls `work` repeatedly with a pause in between, never concurrently. `stop` aborts the signal of a call in progress
 * and waits for it. After an error, which `onError` receives, the calls continue.
 */
export function every(
  pauseMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();
  const schedule = () => {
    timer = setTimeout(() => {
      current = work(stopping.signal)
        .then(() => undefined, onError)
        .then(() => {
          if (!stopping.signal.aborted) schedule();
        });
    }, pauseMs);
    timer.unref();
  };
  schedule();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await current;
    },
  };
}
