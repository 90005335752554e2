/** Requests of this process that wait for the end of a run on any node. */
export type Completions = {
  wait(runId: string): Waiter;
  /** Notifies the waiters that the run has ended. */
  notify(runId: string): void;
  /** Ends every wait because the service stops. */
  release(): void;
  /** IDs of the runs that have waiters. */
  runIds(): string[];
};

type Waiter = {
  /** Resolves to true when the run has ended, and to false when the service stops before. */
  ended: Promise<boolean>;
  cancel(): void;
};

export function createCompletions(): Completions {
  const waiters = new Map<string, Set<(hasEnded: boolean) => void>>();
  const resolveAll = (runId: string, hasEnded: boolean) => {
    const resolvers = waiters.get(runId);
    waiters.delete(runId);
    for (const resolve of resolvers ?? []) resolve(hasEnded);
  };
  return {
    wait(runId) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const resolvers = waiters.get(runId) ?? new Set();
      waiters.set(runId, resolvers.add(resolve));
      return {
        ended: promise,
        cancel: () => {
          resolvers.delete(resolve);
          if (resolvers.size === 0 && waiters.get(runId) === resolvers) waiters.delete(runId);
        },
      };
    },
    notify: (runId) => resolveAll(runId, true),
    release: () => {
      for (const runId of waiters.keys()) resolveAll(runId, false);
    },
    runIds: () => [...waiters.keys()],
  };
}
