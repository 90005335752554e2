import { MoveError } from "./move-error.ts";
import type { TableShape } from "./source.ts";
import type { TargetColumn, TargetTable } from "./target.ts";

/** A table to be moved, with the target's column for each of its columns. */
export type MovedTable = TableShape & { targets: TargetColumn[] };

/** Tables with only the transient state of nodes, which is obsolete after the move. */
const leftBehind: ReadonlySet<string> = new Set(["nodes", "rate_limits", "task_locks"]);

/**
 * The tables to move, each after the tables that its rows refer to. Throws `MoveError` unless both databases have the
 * same tables and columns, so that nothing is lost.
 */
export function planMove(
  source: readonly TableShape[],
  target: ReadonlyMap<string, TargetTable>,
): MovedTable[] {
  const ours = source.filter(({ name }) => !name.startsWith("kysely_"));
  const names = new Set(ours.map(({ name }) => name));
  for (const name of target.keys()) {
    if (!names.has(name)) throw new MoveError(`The embedded database has no table ${name}.`);
  }
  const moved = new Map<string, MovedTable>();
  for (const shape of ours) {
    const table = matchTable(shape, target.get(shape.name));
    if (!leftBehind.has(shape.name)) moved.set(shape.name, table);
  }
  return inOrder(moved, target);
}

function matchTable(shape: TableShape, target: TargetTable | undefined): MovedTable {
  const { name, columns, key } = shape;
  if (target === undefined) throw new MoveError(`The target has no table ${name}.`);
  if (key.length === 0) throw new MoveError(`The table ${name} has no primary key.`);
  const targets = columns.map((column) => {
    const found = target.columns.get(column);
    if (found === undefined) throw new MoveError(`The target has no column ${name}.${column}.`);
    return found;
  });
  const more = [...target.columns.keys()].find((column) => !columns.includes(column));
  if (more !== undefined) {
    throw new MoveError(`The embedded database has no column ${name}.${more}.`);
  }
  return { ...shape, targets };
}

function inOrder(
  tables: ReadonlyMap<string, MovedTable>,
  target: ReadonlyMap<string, TargetTable>,
): MovedTable[] {
  const ordered = new Map<string, MovedTable>();
  const visit = (table: MovedTable, path: readonly string[]) => {
    if (ordered.has(table.name)) return;
    if (path.includes(table.name)) {
      throw new MoveError(`The tables ${path.join(", ")} refer to each other.`);
    }
    for (const name of target.get(table.name)?.pointsTo ?? []) {
      const next = tables.get(name);
      if (next !== undefined) visit(next, [...path, table.name]);
    }
    ordered.set(table.name, table);
  };
  for (const table of tables.values()) visit(table, []);
  return [...ordered.values()];
}
