import type { Database } from "#db";

/** Tables with a `last_used_at` column. */
const tables = ["api_keys", "credentials", "oauth_grants"] as const;
type Table = (typeof tables)[number];

/** When keys, credentials and grants were last used. Collected in memory, so that no request waits for a write. */
export type LastUsed = {
  note(table: Table, id: string, at: number): void;
  /** Writes the collected times, with one statement per table and time. */
  flush(): Promise<void>;
};

export function createLastUsed(db: Database): LastUsed {
  const uses: Record<Table, Map<string, number>> = {
    api_keys: new Map(),
    credentials: new Map(),
    oauth_grants: new Map(),
  };
  const steps = (table: Table) =>
    [...Map.groupBy(uses[table], ([, at]) => at)].map(([at, used]) =>
      db.kysely
        .updateTable(table)
        .set({ last_used_at: at })
        .where(
          "id",
          "in",
          used.map(([id]) => id),
        )
        .compile(),
    );
  return {
    note: (table, id, at) => void uses[table].set(id, at),
    flush: async () => {
      const queries = tables.flatMap(steps);
      for (const table of tables) uses[table].clear();
      if (queries.length > 0) await db.transact(queries);
    },
  };
}
