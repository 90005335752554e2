import { sql } from "kysely";
import type { Database, Schema } from "#db";

/** Makes the database refuse rows of a table for which an SQL condition on `new` holds, until the returned function is called. */
export function refuseInserts(
  db: Database,
  table: keyof Schema,
  condition: string,
): Promise<() => Promise<void>> {
  return refuse(db, "insert", table, condition);
}

/** The same for updates, with a condition on `old` and `new`. */
export function refuseUpdates(
  db: Database,
  table: keyof Schema,
  condition: string,
): Promise<() => Promise<void>> {
  return refuse(db, "update", table, condition);
}

async function refuse(
  { dialect, kysely }: Database,
  event: "insert" | "update",
  table: keyof Schema,
  condition: string,
): Promise<() => Promise<void>> {
  const execute = async (text: string) => void (await sql.raw(text).execute(kysely));
  if (dialect === "sqlite") {
    await execute(`create trigger refuse before ${event} on ${table} when ${condition}
      begin select raise(abort, 'refused'); end`);
    return () => execute("drop trigger refuse");
  }
  await execute(`create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'refused'; end $$`);
  await execute(`create trigger refuse before ${event} on ${table}
    for each row when (${condition}) execute function refuse()`);
  return () => execute("drop function refuse() cascade");
}
