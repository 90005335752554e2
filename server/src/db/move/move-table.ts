import type pg from "pg";
import { messageOf } from "#lib/message-of";
import { MoveError } from "./move-error.ts";
import type { MovedTable } from "./plan-move.ts";
import { quoted } from "./source.ts";
import type { Source, SourceRow } from "./source.ts";
import { isSame, toTarget } from "./values.ts";
import type { TargetValue } from "./values.ts";

/** Writes all rows of a table to the target. Throws `MoveError` naming the row that the target rejects. */
export async function copyTable(
  source: Source,
  client: pg.Client,
  table: MovedTable,
): Promise<number> {
  const types = table.targets.map(({ type }, index) => `$${index + 1}::${type}[]`);
  const insert = `insert into ${quoted([table.name])} (${quoted(table.columns)})
    select * from unnest(${types.join(", ")})`;
  const write = (rows: readonly TargetValue[][]) =>
    client.query(insert, toColumns(table, rows, table.columns));
  let count = 0;
  for (const batch of source.batches(table)) {
    const rows = batch.map((row) => convert(table, row));
    await client.query("savepoint batch");
    try {
      await write(rows);
    } catch (error) {
      await client.query("rollback to savepoint batch");
      // Inserts the rows one by one, to find the one that is rejected.
      for (const row of rows) {
        await write([row]).catch((cause: unknown) => {
          throw refused(table, row, cause);
        });
      }
      throw error;
    }
    await client.query("release savepoint batch");
    count += rows.length;
  }
  return count;
}

/**
 * Reads every row back from both databases, in the order of the source's primary key, and throws `MoveError` naming the
 * first one that differs.
 */
export async function compareTable(
  source: Source,
  client: pg.Client,
  table: MovedTable,
): Promise<void> {
  const marks = table.key.map((column, index) => {
    const type = table.targets[table.columns.indexOf(column)]?.type ?? "";
    return `$${index + 1}::${type}[]`;
  });
  const columns = table.columns.map((column) => `t."${column}"`).join(", ");
  const select = `select ${columns} from unnest(${marks.join(", ")}) as k (${quoted(table.key)})
    join ${quoted([table.name])} t using (${quoted(table.key)})`;
  let count = 0;
  for (const batch of source.batches(table)) {
    const expected = batch.map((row) => convert(table, row));
    const values = toColumns(table, expected, table.key);
    const { rows } = await client.query<TargetValue[]>({ text: select, values, rowMode: "array" });
    const found = new Map(rows.map((row) => [keyOf(table, row), row]));
    for (const row of expected) compareRow(table, row, found.get(keyOf(table, row)));
    count += batch.length;
  }
  const counted = await client.query<{ count: string }>(
    `select count(*) as count from ${quoted([table.name])}`,
  );
  const targetCount = Number(counted.rows[0]?.count);
  if (targetCount !== count) {
    throw new MoveError(
      `The table ${table.name} has ${targetCount} rows in the target, not ${count}.`,
    );
  }
}

function compareRow(
  table: MovedTable,
  expected: readonly TargetValue[],
  found: readonly TargetValue[] | undefined,
): void {
  const where = `The row ${describeKey(table, expected)} of the table ${table.name}`;
  if (found === undefined) throw new MoveError(`${where} is missing in the target.`);
  for (const [index, column] of table.columns.entries()) {
    if (isSame(expected[index] ?? null, found[index] ?? null)) continue;
    throw new MoveError(`${where} has a different ${column} in the target.`);
  }
}

function convert(table: MovedTable, row: SourceRow): TargetValue[] {
  return table.targets.map(({ kind }, index) => {
    try {
      return toTarget(kind, row[index] ?? null);
    } catch (error) {
      const where = `${table.name}.${table.columns[index]} of ${describeKey(table, row)}`;
      throw new MoveError(`${where}: ${error instanceof Error ? error.message : ""}.`, {
        cause: error,
      });
    }
  });
}

/** The values of some columns, one array per column, as `unnest` requires. */
function toColumns(
  table: MovedTable,
  rows: readonly (readonly TargetValue[])[],
  columns: readonly string[],
): unknown[][] {
  return columns.map((column) => {
    const index = table.columns.indexOf(column);
    const isDate = table.targets[index]?.kind === "date";
    return rows.map((row) => {
      const value = row[index] ?? null;
      return isDate && typeof value === "number" ? new Date(value).toISOString() : value;
    });
  });
}

function keyOf(table: MovedTable, row: readonly TargetValue[]): string {
  return JSON.stringify(table.key.map((column) => row[table.columns.indexOf(column)]));
}

function describeKey({ key, columns }: MovedTable, row: readonly unknown[]): string {
  return key.map((column) => `${column}=${String(row[columns.indexOf(column)])}`).join(", ");
}

function refused(table: MovedTable, row: readonly TargetValue[], cause: unknown): MoveError {
  const where = `the row ${describeKey(table, row)} of the table ${table.name}`;
  return new MoveError(`The target rejects ${where}: ${messageOf(cause)}.`, { cause });
}
