/** A stream that was not read by then never will be, because its client disconnected before the response was sent. */
const startTimeoutMs = 60_000;

/**
 * Calls `release` once, when the stream has ended, failed, or been abandoned by its reader. Not a generator, because
 * the `finally` of a generator that was never started does not run.
 */
export function releaseWhenDone<T>(
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
  const endWhenDone = async (step: Promise<IteratorResult<T>>): Promise<IteratorResult<T>> => {
    try {
      const result = await step;
      if (result.done === true) end();
      return result;
    } catch (error) {
      end();
      throw error;
    }
  };
  const wrapped: AsyncGenerator<T> = {
    next: () => {
      clearTimeout(abandoned);
      return endWhenDone(source.next());
    },
    return: async (value) => {
      end();
      return source.return(await value);
    },
    throw: (error) => endWhenDone(source.throw(error)),
    [Symbol.asyncIterator]: () => wrapped,
    [Symbol.asyncDispose]: async () => void (await wrapped.return(undefined)),
  };
  return wrapped;
}
