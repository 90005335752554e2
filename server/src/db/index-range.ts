import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database } from "./database.ts";

type Range = {
  /** The index's columns before the id, in its order, and what they hold. */
  columns: Readonly<Record<string, string>>;
  /** Ids from here on; all when left out. */
  from?: string | undefined;
  /** Ids before this one; all when left out. */
  before?: string | undefined;
};

type Condition = {
  isWithin: RawBuilder<boolean>;
  newestFirst: RawBuilder<unknown>;
  oldestFirst: RawBuilder<unknown>;
};

/** Comes after every id, since those are hex digits. */
const afterAllIds = "g";

/**
 * The condition and the order that read a stretch of an index that ends with the id, said so that the
 * database takes this index and no other.
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
  // Of two ranges and several equal columns SQLite may well use the wrong part; of whole rows it cannot.
  const row = sql.join(names);
  const place = (id: string) => sql.join([...Object.values(columns), id]);
  return {
    isWithin: sql`(${row}) >= (${place(from)}) and (${row}) < (${place(before)})`,
    ...order,
  };
}

/**
 * Where a column equals one value, PostgreSQL leaves it out of the order and may take the primary key for
 * it: for a workspace that owns much of the table it would scan the rows of all workspaces backwards until it has a
 * page, which takes seconds once that workspace has become inactive. With two values, even equal ones, it does not.
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
