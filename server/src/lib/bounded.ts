import { Script, createContext } from "node:vm";

const holder: { work: (() => unknown) | undefined } = { work: undefined };
const context = createContext(holder);
const script = new Script("work()");

/** The work did not end in its time and was stopped. */
export class TookTooLongError extends Error {
  override name = "TookTooLongError";
}

/**
 * Runs synchronous work that somebody else's data drives, such as a regular expression of theirs, and
 * stops it after `limitMs` however it loops. Costs about 0.1 ms. Throws `TookTooLongError`.
 */
export function boundTime<T>(limitMs: number, work: () => T): T {
  holder.work = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as T;
  } catch (error) {
    if (isTimeout(error)) throw new TookTooLongError(`Stopped after ${limitMs} ms`);
    throw error;
  } finally {
    holder.work = undefined;
  }
}

function isTimeout(error: unknown): boolean {
  // The error may be of the script's own realm, where `Error` is another class.
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
