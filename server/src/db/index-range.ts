import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database } from "./database.ts";

type Range = {
  /** The columns of the index before the ID, in order, with their values. */
  columns: Readonly<Record<string, string>>;
  /** The first ID; all if omitted. */
  from?: string | undefined;
  /** The ID to stop before; all if omitted. */
  before?: string | undefined;
};

type Condition = {
  isWithin: RawBuilder<boolean>;
  newestFirst: RawBuilder<unknown>;
  oldestFirst: RawBuilder<unknown>;
};

/** Sorts after every ID, because IDs consist of hexadecimal digits. */
const afterAllIds = "g";

/**
 * The condition and the order that read a range of an index ending with the ID, written so that the database uses this
 * index and no other.
 */
export function indexRange({ dialect }: Pick<Database, "dialect">, range: Range): Condition {
  const { columns, from = "", before = afterAllIds } = range;
  const names = [...Object.keys(columns), "id"].map((name) => sql.ref(name));
  const order = {
    newestFirst: sql.join(names.map((name) => sql`${name} desc`)),
    oldestFirst: sql.join(names),
  };
  if (dialect === "postgres")
    return { isWithin: withinOnPostgres(columns, from, before), ...order };
  // With two ranges and several equal columns, SQLite may use only part of the index; with row values it cannot.
  const row = sql.join(names);
  const rowAt = (id: string) => sql.join([...Object.values(columns), id]);
  return {
    isWithin: sql`(${row}) >= (${rowAt(from)}) and (${row}) < (${rowAt(before)})`,
    ...order,
  };
}

/** The IDs of the next page of a range, after the last ID of the previous page. */
export function idsOfPage(
  { after, sort }: { after: string | undefined; sort?: "newest" | "oldest" },
  { from, before }: Pick<Range, "from" | "before">,
): Pick<Range, "from" | "before"> {
  if (after === undefined) return { from, before };
  // The first text that sorts after the ID.
  if (sort === "oldest") return { from: later(`${after}.`, from), before };
  return { from, before: before === undefined || after < before ? after : before };
}

function later(one: string, other: string | undefined): string {
  return other === undefined || one > other ? one : other;
}

/**
 * If a column equals one value, PostgreSQL drops it from the order and may use the primary key: for a workspace with a
 * large share of the table, it would scan the rows of all workspaces backwards until a page is full, which takes
 * seconds once that workspace is inactive. With two values, even equal ones, it does not.
 */
function withinOnPostgres(
  columns: Range["columns"],
  from: string,
  before: string,
): RawBuilder<boolean> {
  const equal = Object.entries(columns).map(([name, value], index) =>
    index === 0
      ? sql`${sql.ref(name)} = any(array[${value}, ${value}]::text[])`
      : sql`${sql.ref(name)} = ${value}`,
  );
  const ids = [sql`id >= ${from}`, sql`id < ${before}`];
  return sql`${sql.join([...equal, ...ids], sql` and `)}`;
}
