import type Sqlite from "better-sqlite3";

/** Runs writes so that those that come together share one commit, and so one wait for the disk. */
export type GroupCommit = {
  /**
   * Runs `work` in the next commit and resolves when that is on the disk. What it throws undoes this
   * work alone and rejects; a commit that fails rejects everything in it.
   */
  write<T>(work: () => T): Promise<T>;
  /** Writes what is waiting, at once. */
  flush(): void;
};

type Waiting = {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

export function createGroupCommit(sqlite: Sqlite.Database): GroupCommit {
  let waiting: Waiting[] = [];
  // Within a transaction the library makes a savepoint of this.
  const alone = sqlite.transaction((work: () => unknown) => work());
  const commit = sqlite.transaction((group: readonly Waiting[]) =>
    group.map(({ work, reject }) => {
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
  const flush = () => {
    const group = waiting;
    if (group.length === 0) return;
    waiting = [];
    try {
      const results = commit.immediate(group);
      for (const [index, { resolve }] of group.entries()) {
        const result = results[index];
        if (result?.isDone === true) resolve(result.value);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  return {
    write: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        // After the events of this turn of the loop, so that what they write is together.
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      }),
    flush,
  };
}
