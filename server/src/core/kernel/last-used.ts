import type { Database } from "#db";

/** Tables with a `last_used_at` column. */
const tables = ["api_keys", "credentials", "oauth_grants"] as const;
type Table = (typeof tables)[number];

/** When keys, credentials and grants were last used. Collected in memory, so that no request waits for a write. */
export type LastUsed = {
  note(table: Table, id: string, at: number): void;
  /** Writes the collected times. What could not be written is written by the next flush. Throws the first failure. */
  flush(): Promise<void>;
};

export function createLastUsed(db: Database): LastUsed {
  const uses: Record<Table, Map<string, number>> = {
    api_keys: new Map(),
    credentials: new Map(),
    oauth_grants: new Map(),
  };
  const flushTable = async (table: Table) => {
    const written = uses[table];
    if (written.size === 0) return;
    uses[table] = new Map();
    try {
      await db.transact(updates(db, table, written));
    } catch (error) {
      uses[table] = new Map([...written, ...uses[table]]);
      throw error;
    }
  };
  return {
    note: (table, id, at) => void uses[table].set(id, at),
    // A transaction per table, so that a conflict about one does not lose the others.
    flush: async () => {
      const results = await Promise.allSettled(tables.map(flushTable));
      const failed = results.find((result) => result.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
  };
}

/** Nodes write the same rows, so all lock them in the order of their IDs, and none moves a time backwards. */
function updates(db: Database, table: Table, times: ReadonlyMap<string, number>) {
  return [...times]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, at]) =>
      db.kysely
        .updateTable(table)
        .set({ last_used_at: at })
        .where("id", "=", id)
        .where((row) => row.or([row("last_used_at", "is", null), row("last_used_at", "<", at)]))
        .compile(),
    );
}
