/**
 * Calls `work` again and again with a pause in between, never twice at once. `stop` waits for a call
 * under way. What it throws goes to `onError` and the next call comes as usual.
 */
export function every(
  pauseMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();
  const schedule = () => {
    timer = setTimeout(() => {
      current = work()
        .then(() => undefined, onError)
        .then(() => {
          if (!isStopped) schedule();
        });
    }, pauseMs);
    timer.unref();
  };
  schedule();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
