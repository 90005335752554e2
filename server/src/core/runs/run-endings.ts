/** Requests of this process that wait for the end of a run that some node works on. */
export type RunEndings = {
  wait(runId: string): Waiting;
  /** Tells those who wait that the run has ended. */
  tell(runId: string): void;
  /** Ends every wait: the service stops. */
  release(): void;
  /** The runs that are waited for. */
  runIds(): string[];
};

type Waiting = {
  /** Whether the run has ended; false when the service stops before. */
  ended: Promise<boolean>;
  /** No longer interested. */
  forget(): void;
};

export function createRunEndings(): RunEndings {
  const waiting = new Map<string, Set<(hasEnded: boolean) => void>>();
  const settle = (runId: string, hasEnded: boolean) => {
    const listeners = waiting.get(runId);
    waiting.delete(runId);
    for (const listener of listeners ?? []) listener(hasEnded);
  };
  return {
    wait(runId) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const listeners = waiting.get(runId) ?? new Set();
      waiting.set(runId, listeners.add(resolve));
      return {
        ended: promise,
        forget: () => {
          listeners.delete(resolve);
          if (listeners.size === 0 && waiting.get(runId) === listeners) waiting.delete(runId);
        },
      };
    },
    tell: (runId) => settle(runId, true),
    release: () => {
      for (const runId of waiting.keys()) settle(runId, false);
    },
    runIds: () => [...waiting.keys()],
  };
}
