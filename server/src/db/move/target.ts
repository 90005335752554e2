import pg from "pg";
import { MoveError } from "./move-error.ts";
import { kindOf } from "./values.ts";
import type { Kind, TargetValue } from "./values.ts";

export type TargetColumn = { type: string; kind: Kind };

/** A table of the target: its columns by name, and the tables that its rows refer to. */
export type TargetTable = { columns: Map<string, TargetColumn>; pointsTo: Set<string> };

/** Opens a connection that returns values as `TargetValue`, without timeouts. */
export async function connectTarget(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    types,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A broken connection fails the current statement; without a listener it would also end the process.
  client.on("error", () => undefined);
  await client.connect();
  await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
  return client;
}

/** The tables in the schema of the service. Throws `MoveError` for a column that cannot be moved. */
export async function readTables(client: pg.Client): Promise<Map<string, TargetTable>> {
  const tables = new Map<string, TargetTable>();
  const found = await client.query<ColumnRow>(columnsQuery);
  for (const { table, column, type, is_counted: isCounted } of found.rows) {
    const kind = kindOf(type);
    if (kind === undefined || isCounted) {
      const what = isCounted ? "has a generated value" : `has the type ${type}`;
      throw new MoveError(`The column ${table}.${column} ${what}, which is not supported.`);
    }
    const entry = tables.get(table) ?? { columns: new Map(), pointsTo: new Set() };
    entry.columns.set(column, { type, kind });
    tables.set(table, entry);
  }
  const pointers = await client.query<{ table: string; to: string }>(pointersQuery);
  for (const { table, to } of pointers.rows) {
    if (table !== to) tables.get(table)?.pointsTo.add(to);
  }
  return tables;
}

/** The names of the applied migrations. */
export async function readMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("select name from kysely_migration");
  return rows.map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1));
}

type ColumnRow = { table: string; column: string; type: string; is_counted: boolean };

const columnsQuery = `
  select c.table_name as table, c.column_name as column, c.data_type as type,
    (c.is_identity = 'YES' or coalesce(c.column_default, '') like 'nextval(%') as is_counted
  from information_schema.columns c
  join information_schema.tables t
    on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
  where c.table_schema = current_schema() and c.table_name not like 'kysely_%'
  order by c.table_name, c.ordinal_position`;

const pointersQuery = `
  select distinct f.relname as table, t.relname as to
  from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where k.contype = 'f' and f.relnamespace = current_schema()::regnamespace`;

const { TIMESTAMPTZ } = pg.types.builtins;
const parseDate = pg.types.getTypeParser(TIMESTAMPTZ);
/** Only milliseconds are ever written. */
const readDate = (text: string): TargetValue => Number(parseDate(text));
const asText = (text: string): TargetValue => text;

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT2, asText);
types.setTypeParser(pg.types.builtins.INT4, asText);
types.setTypeParser(pg.types.builtins.INT8, asText);
types.setTypeParser(TIMESTAMPTZ, readDate);
