/**
 * Calls `work` repeatedly with a pause in between, never concurrently. A pause can be a function, which is called before each one. `stop` aborts the signal of a call in progress
 * and waits for it. After an error, which `onError` receives, the calls continue.
 */
export function every(
  pauseMs: number | (() => number),
  work: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();
  const schedule = () => {
    const ms = typeof pauseMs === "number" ? pauseMs : pauseMs();
    timer = setTimeout(() => {
      current = work(stopping.signal)
        .then(() => undefined, onError)
        .then(() => {
          if (!stopping.signal.aborted) schedule();
        });
    }, ms);
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
