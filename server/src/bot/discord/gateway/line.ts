/** Does things one after the other, in the order in which they came. After one that failed, nothing more is done. */
export type Line = {
  push(work: () => Promise<void>): void;
  /** How much waits. */
  length(): number;
  /** Does nothing of what waits any more. */
  stop(): void;
  /** Until nothing waits or is being done. */
  end(): Promise<void>;
};

export function createLine(onError: (error: unknown) => void): Line {
  let last = Promise.resolve();
  let length = 0;
  let isStopped = false;
  const doAfter = async (before: Promise<void>, work: () => Promise<void>) => {
    await before;
    length -= 1;
    if (isStopped) return;
    try {
      await work();
    } catch (error) {
      isStopped = true;
      onError(error);
    }
  };
  return {
    push: (work) => {
      length += 1;
      last = doAfter(last, work);
    },
    length: () => length,
    stop: () => {
      isStopped = true;
    },
    end: () => last,
  };
}
