import { TimeoutError } from "./errors.ts";

type Limit = {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** The message of the `TimeoutError`. */
  message: string;
  runId?: string;
};

/** Calls with a signal that aborts with the caller's or when the time is over. Throws `TimeoutError` then. */
export async function withTimeout<T>(
  { signal, timeoutMs, message, runId }: Limit,
  call: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return call(signal);
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), Math.max(0, timeoutMs));
  try {
    return await call(AbortSignal.any([timeout.signal, ...(signal === undefined ? [] : [signal])]));
  } catch (error) {
    signal?.throwIfAborted();
    if (!timeout.signal.aborted) throw error;
    throw new TimeoutError(message, { runId, cause: error });
  } finally {
    clearTimeout(timer);
  }
}
