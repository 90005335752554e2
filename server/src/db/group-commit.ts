import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import type Sqlite from "better-sqlite3";
import { markDatabaseError } from "./database-error.ts";
import { whenUnlocked } from "./sqlite-lock.ts";

/** Runs concurrent writes in one commit, so that they wait for the disk only once. */
export type GroupCommit = {
  /**
   * Runs `work` in the next commit and resolves once that is on the disk. If `work` throws, only its own statements are
   * rolled back; if the commit fails, every write in it rejects. `work` must do nothing but execute statements, because
   * it is rolled back and runs again if another write of the commit throws.
   */
  write<T>(work: () => T): Promise<T>;
  /** Writes what is queued and closes the file. */
  close(): Promise<void>;
};

const sync = promisify(fdatasync);

/** Large writes of a group take long; other work of the process gets a turn before the next ones. */
const maxGroupMs = 20;

type Waiting = {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};
type Result = { isDone: boolean; value: unknown };

/**
 * The commit does not sync the log (`synchronous = NORMAL`). Another thread syncs it, so that a slow disk delays the writes
 * but does not block the process, and no write is acknowledged before that.
 */
export function createGroupCommit(sqlite: Sqlite.Database): GroupCommit {
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let log: number | undefined;
  const commit = prepareCommit(sqlite);

  const writeGroup = async (group: readonly Waiting[]): Promise<void> => {
    let written = group;
    try {
      const results = await whenUnlocked(() => commit(group));
      written = group.slice(0, results.length);
      // The rest comes before what was queued meanwhile.
      if (written.length < group.length) waiting = [...group.slice(written.length), ...waiting];
      // SQLite creates the file with the first write, and does not delete it while a connection is open.
      log ??= openSync(`${sqlite.name}-wal`, "r+");
      await sync(log);
      resolveAll(written, results);
    } catch (error) {
      rejectAll(written, markDatabaseError(error));
    }
  };
  const flush = () => {
    if (waiting.length === 0 || writing !== undefined) return;
    const group = waiting;
    waiting = [];
    writing = writeGroup(group).finally(() => {
      writing = undefined;
      flush();
    });
  };
  // Each group starts the next one until no writes are queued.
  const idle = async (): Promise<void> => {
    const current = writing;
    if (current === undefined) return;
    await current;
    await idle();
  };
  return {
    write: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        // Deferred to the end of this turn of the event loop, so that all writes of the turn share a commit.
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      }),
    close: async () => {
      flush();
      await idle();
      // Another file may have the number of a closed one.
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}

/** A write of the group threw, and the group was rolled back. */
class WorkFailed extends Error {}

/** The function commits the first writes of a group and returns their results: all, unless they take longer than `maxGroupMs`. */
function prepareCommit(sqlite: Sqlite.Database): (group: readonly Waiting[]) => Result[] {
  const unguarded = sqlite.transaction((group: readonly Waiting[]) =>
    inTime(group, ({ work }): Result => {
      try {
        return { isDone: true, value: work() };
      } catch (cause) {
        throw new WorkFailed("A write of the group failed", { cause });
      }
    }),
  );
  // Inside a transaction, the library turns this one into a savepoint.
  const alone = sqlite.transaction((work: () => unknown) => work());
  const guarded = sqlite.transaction((group: readonly Waiting[]) =>
    inTime(group, ({ work, reject }): Result => {
      try {
        return { isDone: true, value: alone(work) };
      } catch (error) {
        // A full or broken disk also ends the outer transaction: then nothing was written.
        if (!sqlite.inTransaction) throw error;
        reject(error);
        return { isDone: false, value: undefined };
      }
    }),
  );
  return (group) => {
    try {
      // Each savepoint costs as much as a statement, and rollbacks are rare.
      return unguarded.immediate(group);
    } catch (error) {
      if (!(error instanceof WorkFailed)) throw error;
      return guarded.immediate(group);
    }
  };
}

function inTime(group: readonly Waiting[], write: (one: Waiting) => Result): Result[] {
  const deadline = performance.now() + maxGroupMs;
  const results: Result[] = [];
  for (const one of group) {
    results.push(write(one));
    if (performance.now() > deadline) break;
  }
  return results;
}

function resolveAll(group: readonly Waiting[], results: readonly Result[]): void {
  for (const [index, { resolve }] of group.entries()) {
    const result = results[index];
    if (result?.isDone === true) resolve(result.value);
  }
}

function rejectAll(group: readonly Waiting[], error: unknown): void {
  for (const { reject } of group) reject(error);
}
