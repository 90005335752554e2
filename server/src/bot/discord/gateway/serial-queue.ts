/** Runs tasks one after the other, in order, and stops at the first that fails. */
export type SerialQueue = {
  push(task: () => Promise<void>): void;
  /** How many tasks are queued. */
  length(): number;
  /** Drops queued tasks. */
  stop(): void;
  /** Resolves when no task is queued or running. */
  end(): Promise<void>;
};

export function createSerialQueue(onError: (error: unknown) => void): SerialQueue {
  let last = Promise.resolve();
  let length = 0;
  let isStopped = false;
  const runAfter = async (before: Promise<void>, task: () => Promise<void>) => {
    await before;
    length -= 1;
    if (isStopped) return;
    try {
      await task();
    } catch (error) {
      isStopped = true;
      onError(error);
    }
  };
  return {
    push: (task) => {
      length += 1;
      last = runAfter(last, task);
    },
    length: () => length,
    stop: () => {
      isStopped = true;
    },
    end: () => last,
  };
}
