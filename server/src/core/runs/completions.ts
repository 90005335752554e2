/** What a waiter learns: that the run has ended, that its tool asks a question, or that the service stops before. */
export type News = "ended" | "asked" | "released";

/** Requests of this process that wait for the end of a run on any node. */
export type Completions = {
  wait(runId: string): Waiter;
  /** Notifies the waiters that the run has ended, or asks a question. */
  notify(runId: string, news?: "ended" | "asked"): void;
  /** Ends every wait because the service stops. */
  release(): void;
  /** IDs of the runs that have waiters. */
  runIds(): string[];
};

export type Waiter = {
  news: Promise<News>;
  cancel(): void;
};

export function createCompletions(): Completions {
  const waiters = new Map<string, Set<(news: News) => void>>();
  const resolveAll = (runId: string, news: News) => {
    const resolvers = waiters.get(runId);
    waiters.delete(runId);
    for (const resolve of resolvers ?? []) resolve(news);
  };
  return {
    wait(runId) {
      const { promise, resolve } = Promise.withResolvers<News>();
      const resolvers = waiters.get(runId) ?? new Set();
      waiters.set(runId, resolvers.add(resolve));
      return {
        news: promise,
        cancel: () => {
          resolvers.delete(resolve);
          if (resolvers.size === 0 && waiters.get(runId) === resolvers) waiters.delete(runId);
        },
      };
    },
    notify: (runId, news = "ended") => resolveAll(runId, news),
    release: () => {
      for (const runId of waiters.keys()) resolveAll(runId, "released");
    },
    runIds: () => [...waiters.keys()],
  };
}
