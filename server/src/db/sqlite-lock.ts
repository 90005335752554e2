import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";

const maxWaitMs = 1_000;
const pauseMs = 10;

/**
 * Retries `work` for a short time while another program has locked the database. SQLite's own wait would block all requests
 * of this process.
 */
export async function whenUnlocked<T>(work: () => T | Promise<T>): Promise<T> {
  let deadline: number | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const now = performance.now();
      deadline ??= now + maxWaitMs;
      if (!isLocked(error) || now > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Whether a statement failed because another connection has locked the file. */
export function isLocked(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
