import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import type Sqlite from "better-sqlite3";
import { markDatabaseError } from "./database-error.ts";

/** Runs writes so that those that come together share one commit, and so one wait for the disk. */
export type GroupCommit = {
  /**
   * Runs `work` in the next commit and resolves when that is on the disk. What it throws undoes this
   * work alone and rejects; a commit that fails rejects everything in it. `work` does nothing but statements:
   * when another of the same commit throws, it is undone and runs again.
   */
  write<T>(work: () => T): Promise<T>;
  /** Writes what is waiting and lets go of the file. */
  close(): Promise<void>;
};

const sync = promisify(fdatasync);

type Waiting = {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};
type Result = { isDone: boolean; value: unknown };

/**
 * The commit itself leaves the log unsynced; it is synced from another thread, so that a slow disk holds
 * up the writes that wait for it and not the process. Nothing is acknowledged before. A commit that
 * comes another way, on the same connection, syncs by itself (`synchronous = FULL`).
 */
export function createGroupCommit(sqlite: Sqlite.Database): GroupCommit {
  let waiting: Waiting[] = [];
  let syncing: Promise<void> | undefined;
  let log: number | undefined;
  const commit = prepareCommit(sqlite);

  const flush = () => {
    if (waiting.length === 0 || syncing !== undefined) return;
    const group = waiting;
    waiting = [];
    try {
      const results = commit(group);
      // The file is there once something was written, and stays for as long as we are connected.
      log ??= openSync(`${sqlite.name}-wal`, "r+");
      syncing = sync(log)
        .then(() => settle(group, results))
        .catch((error: unknown) => rejectAll(group, markDatabaseError(error)))
        .finally(() => {
          syncing = undefined;
          flush();
        });
    } catch (error) {
      rejectAll(group, error);
    }
  };
  // A sync that ends begins the next, until nothing waits.
  const idle = async (): Promise<void> => {
    const current = syncing;
    if (current === undefined) return;
    await current;
    await idle();
  };
  return {
    write: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        // After the events of this turn of the loop, so that what they write is together.
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      }),
    close: async () => {
      flush();
      await idle();
      if (log !== undefined) closeSync(log);
    },
  };
}

/** Something of a group threw, and all of the group is undone. */
class WorkFailed extends Error {}

function prepareCommit(sqlite: Sqlite.Database): (group: readonly Waiting[]) => Result[] {
  const unguarded = sqlite.transaction((group: readonly Waiting[]) =>
    group.map(({ work }): Result => {
      try {
        return { isDone: true, value: work() };
      } catch (cause) {
        throw new WorkFailed("Something of a group failed", { cause });
      }
    }),
  );
  // Within a transaction the library makes a savepoint of this.
  const alone = sqlite.transaction((work: () => unknown) => work());
  const guarded = sqlite.transaction((group: readonly Waiting[]) =>
    group.map(({ work, reject }): Result => {
      try {
        return { isDone: true, value: alone(work) };
      } catch (error) {
        // A broken disk or a full one ends the outer transaction too: then nothing was written.
        if (!sqlite.inTransaction) throw error;
        reject(error);
        return { isDone: false, value: undefined };
      }
    }),
  );
  return (group) => {
    sqlite.pragma("synchronous = NORMAL");
    try {
      // Savepoints cost as much as a statement each, and hardly ever is there anything to undo.
      return unguarded.immediate(group);
    } catch (error) {
      if (!(error instanceof WorkFailed)) throw error;
      return guarded.immediate(group);
    } finally {
      sqlite.pragma("synchronous = FULL");
    }
  };
}

function settle(group: readonly Waiting[], results: readonly Result[]): void {
  for (const [index, { resolve }] of group.entries()) {
    const result = results[index];
    if (result?.isDone === true) resolve(result.value);
  }
}

function rejectAll(group: readonly Waiting[], error: unknown): void {
  for (const { reject } of group) reject(error);
}
