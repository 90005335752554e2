import { threadCpuUsage } from "node:process";
import { Script, createContext } from "node:vm";

const holder: { work: (() => unknown) | undefined } = { work: undefined };
const context = createContext(holder);
const script = new Script("work()");

/** The work did not end in its time and was stopped. */
export class TookTooLongError extends Error {
  override name = "TookTooLongError";
}

/** How often work is begun at most. */
const mostAttempts = 8;

/**
 * Runs synchronous work that somebody else's data drives, such as a regular expression of theirs, and
 * stops it after `limitMs` however it loops. Work that was stopped though a busy machine gave it less than half
 * of that time is begun anew, so it has to be such that it can be. Costs about 0.1 ms. Throws `TookTooLongError`.
 */
export function boundTime<T>(limitMs: number, work: () => T): T {
  holder.work = work;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const before = processorMs();
      try {
        return script.runInContext(context, { timeout: limitMs }) as T;
      } catch (error) {
        if (!isTimeout(error)) throw error;
        const isStarved = processorMs() - before < limitMs / 2;
        if (isStarved && attempt < mostAttempts) continue;
        throw new TookTooLongError(`Stopped after ${limitMs} ms`);
      }
    }
  } finally {
    holder.work = undefined;
  }
}

/** How long this thread was at work so far. */
function processorMs(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1_000;
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
