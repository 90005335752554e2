import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { MoveError } from "./move-error.ts";
import { sizeOf } from "./values.ts";
import type { SourceValue } from "./values.ts";

/** A table with its columns, and the columns of its primary key in order. */
export type TableShape = { name: string; columns: string[]; key: string[] };

/** Rows of a table with their values in the order of its columns. */
export type SourceRow = readonly SourceValue[];

/** A read-only snapshot of the embedded database at the time it was opened. */
export type Source = {
  tables(): TableShape[];
  migrations(): string[];
  /** All rows in the order of the primary key, in batches of at most 1,000 rows, or 4 MiB and one row. */
  batches(table: TableShape): Generator<SourceRow[]>;
  close(): void;
};

const batchRows = 1_000;
const batchBytes = 4 * 1024 * 1024;

/** Opens a database file for reading. Throws `MoveError` if it does not exist. */
export function openSource(file: string): Source {
  if (!existsSync(file)) throw new MoveError(`No embedded database exists at ${file}.`);
  const sqlite = new Sqlite(file, { readonly: true, fileMustExist: true });
  sqlite.defaultSafeIntegers(true);
  // One snapshot for all reads.
  sqlite.exec("begin");
  const names = (text: string) => sqlite.prepare<[], string>(text).pluck().all();
  return {
    tables: () =>
      names(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
      ).map((name) => readShape(sqlite, name)),
    migrations: () => names("select name from kysely_migration order by name"),
    batches: (table) => readBatches(sqlite, table),
    close: () => void sqlite.close(),
  };
}

function readShape(sqlite: Sqlite.Database, name: string): TableShape {
  const columns = sqlite
    .prepare<[string], { name: string; pk: bigint }>("select name, pk from pragma_table_info(?)")
    .all(name);
  const key = columns
    .filter(({ pk }) => pk > 0n)
    .toSorted((a, b) => Number(a.pk - b.pk))
    .map((column) => column.name);
  return { name, columns: columns.map((column) => column.name), key };
}

function* readBatches(sqlite: Sqlite.Database, table: TableShape): Generator<SourceRow[]> {
  const rows = sqlite
    .prepare<[], SourceValue[]>(
      `select ${quoted(table.columns)} from ${quoted([table.name])} order by ${quoted(table.key)}`,
    )
    .raw()
    .iterate();
  let batch: SourceRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    bytes += row.reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (batch.length < batchRows && bytes < batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Quotes names for both databases, separated by commas. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
