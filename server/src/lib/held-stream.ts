/** A reader that has not begun by then never will: its client left before the answer did. */
const startTimeoutMs = 60_000;

/**
 * Calls `release` once, when the stream has ended, failed, or been given up by its reader. A generator's own
 * `finally` does not run when it was never started, so this is not one.
 */
export function heldWhileRead<T>(
  source: AsyncGenerator<T>,
  release: () => void,
): AsyncGenerator<T> {
  const abandoned = setTimeout(() => {
    release();
    void source.return(undefined);
  }, startTimeoutMs);
  abandoned.unref();
  const end = () => {
    clearTimeout(abandoned);
    release();
  };
  const settle = async (step: Promise<IteratorResult<T>>): Promise<IteratorResult<T>> => {
    try {
      const result = await step;
      if (result.done === true) end();
      return result;
    } catch (error) {
      end();
      throw error;
    }
  };
  const held: AsyncGenerator<T> = {
    next: () => {
      clearTimeout(abandoned);
      return settle(source.next());
    },
    return: async (value) => {
      end();
      return source.return(await value);
    },
    throw: (error) => settle(source.throw(error)),
    [Symbol.asyncIterator]: () => held,
    [Symbol.asyncDispose]: async () => void (await held.return(undefined)),
  };
  return held;
}
