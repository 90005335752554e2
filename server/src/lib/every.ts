/**
 * Calls `work` again and again with a pause in between, never twice at once. `stop` waits for a call
 * under way and tells it so by its signal. What it throws goes to `onError` and the next call comes as
 * usual.
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
