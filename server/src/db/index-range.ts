import { sql } from "kysely";
import type { RawBuilder } from "kysely";

type Range = {
  /** The index's columns before the id, in its order, and what they hold. */
  columns: Readonly<Record<string, string>>;
  /** Ids from here on; all when left out. */
  from?: string | undefined;
  /** Ids before this one; all when left out. */
  before?: string | undefined;
};

/** Comes after every id, since those are hex digits. */
const afterAllIds = "g";

/**
 * The condition and the order that read a stretch of an index that ends with the id, and that no other
 * index serves. Told in the usual way that a workspace has much of the table, PostgreSQL would walk back
 * over everybody's rows by their ids until it has a page: seconds, once that workspace has gone quiet.
 */
export function indexRange({ columns, from, before }: Range): {
  isWithin: RawBuilder<boolean>;
  newestFirst: RawBuilder<unknown>;
  oldestFirst: RawBuilder<unknown>;
} {
  const names = [...Object.keys(columns), "id"].map((name) => sql.ref(name));
  const row = sql.join(names);
  const place = (id: string) => sql.join([...Object.values(columns), id]);
  return {
    isWithin: sql`(${row}) >= (${place(from ?? "")}) and (${row}) < (${place(before ?? afterAllIds)})`,
    newestFirst: sql.join(names.map((name) => sql`${name} desc`)),
    oldestFirst: row,
  };
}
