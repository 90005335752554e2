import type { Database, PreparedStatement, SqlValue } from "./database.ts";

type Cache = { changes: number; rows: Map<string, readonly unknown[]> };

const caches = new WeakMap<Database, Cache>();
const maxRows = 5_000;

/**
 * Runs a prepared read whose rows change rarely. On SQLite, where all writes pass through this process, its rows come from memory
 * until a write that could change them; on PostgreSQL, where other nodes write as well, it is executed each time. The rows are
 * shared and must not be changed. The statement must not depend on the time, or read a table that `counts` leaves out.
 */
export async function queryCached<Row extends object>(
  database: Database,
  statement: PreparedStatement,
  values: readonly SqlValue[],
): Promise<readonly Readonly<Row>[]> {
  const changes = database.changes?.();
  if (changes === undefined) return database.query<Row>(statement, values);
  let cache = caches.get(database);
  if (cache?.changes !== changes) caches.set(database, (cache = { changes, rows: new Map() }));
  const key = JSON.stringify([statement.name, ...values]);
  const known = cache.rows.get(key);
  if (known !== undefined) return known as readonly Row[];
  const rows = await database.query<Row>(statement, values);
  // A write during the query has replaced the cache.
  if (cache.rows.size < maxRows) cache.rows.set(key, rows);
  return rows;
}

/** Tables that every run writes to, or a periodic task. No cached read depends on them, nor on a table that follows their deletions. */
export const uncountedTables: ReadonlySet<string> = new Set([
  "audit_events",
  "audit_heads",
  "audit_segments",
  "idempotency_records",
  "nodes",
  "quota_uses",
  "run_bytes",
  "run_logs",
  "runs",
  "unsealed_run_events",
  "webhook_deliveries",
]);

/** The tables that a statement names as written, without `do update` and `for update`, which name none. */
const written = /\b(?:insert (?:or \w+ )?into|(?<!\b(?:for|do) )update|delete from) +"?(\w+)/gi;

/** Whether a statement that writes may change the rows of a cached read. Statements that it does not understand may. */
export function mayChangeCachedReads(text: string): boolean {
  const tables = [...text.matchAll(written)].map(([, table = ""]) => table.toLowerCase());
  return tables.length === 0 || !tables.every((table) => uncountedTables.has(table));
}
