/**
 * A statement that applies only if its row is unchanged (an update) or new (an insert), with others that apply only
 * together with it. On PostgreSQL all of them are one statement and one round trip; on SQLite, one transaction of
 * prepared statements.
 */
export type GuardedWrite = {
  name: string;
  /** For PostgreSQL: all statements as one. */
  fused: string;
  /** For PostgreSQL: the table whose row may exist, so that a unique violation means that nothing is written. */
  unlessTable: string | undefined;
  /** For SQLite: the statements, the guard first, with the number of values that each takes. */
  steps: readonly { text: string; valueCount: number }[];
};

/** A column that is set to a value, or to an expression that may contain placeholders. */
type Column = string | { name: string; postgres: string; sqlite: string };

export type Insert = {
  table: string;
  columns: readonly Column[];
  /** A row with the same `key` exists if an earlier attempt succeeded without a confirmation. It is overwritten. */
  replace?: { key: readonly string[]; columns: readonly string[] };
  /** If a row with the same `key` exists, the value is added to its column. On PostgreSQL, columns state their type. */
  addTo?: { key: readonly string[]; column: string };
};

/** Inserts the rows of a query. On PostgreSQL it can read the guard's row from `guard`. */
export type InsertSelect = {
  table: string;
  columns: readonly string[];
  select: Readonly<Record<Language, string>>;
};

/** `still` is a condition without placeholders, such as `status = 'running'`. */
export type Update = {
  table: string;
  set: readonly Column[];
  where: readonly string[];
  still: string;
};

type Plan = {
  name: string;
  /** An insert that comes before the guard: if it does nothing, neither does the guard. */
  before?: Insert & { unless: string };
  /** An insert as guard does nothing if a row has the same value in its column `unless`. */
  guard: Update | Insert | (Insert & { unless: string });
  /** Columns of the guard's row that expressions in `also` read on PostgreSQL, from `guard`. */
  returning?: readonly string[];
  /** Apply only with the guard. An update among them changes nothing if its row has changed. */
  also: readonly (Insert | InsertSelect | Update)[];
  /** Columns of the guard's row, all numbers, that are the result of the write. On PostgreSQL they are among `returning`. */
  result?: readonly string[];
};

/**
 * Compiles a plan. The values follow the order of the statements: for an update those of `set`, then of `where`; for an
 * insert those of its columns.
 */
export function defineGuardedWrite(plan: Plan): GuardedWrite {
  const { name, before, guard, returning = ["1"], also, result = [] } = plan;
  const first = before === undefined ? "" : `before as (${insertNew(before)} returning 1), `;
  const guardText =
    before === undefined && "unless" in guard
      ? insertNew(guard)
      : render(guard, "postgres", before === undefined ? undefined : "before");
  const parts = also.map((statement, index) => `, ${fuse(statement, `also_${index}`)}`);
  // The guard has one row at most.
  const selected = [
    "count(*)::int as changed",
    ...result.map((column) => `max(${column}) as ${column}`),
  ];
  return {
    name,
    fused: `with ${first}guard as (${guardText} returning ${returning.join(", ")})${parts.join("")} select ${selected.join(", ")} from guard`,
    unlessTable: before?.table ?? ("unless" in guard ? guard.table : undefined),
    steps: [...(before === undefined ? [] : [before]), guard, ...also].map((statement) => {
      const returns = statement === guard && result.length > 0;
      const text = `${render(statement, "sqlite")}${returns ? ` returning ${result.join(", ")}` : ""}`;
      return { text, valueCount: text.split("?").length - 1 };
    }),
  };
}

type Language = "postgres" | "sqlite";

/**
 * The first statement for PostgreSQL. It looks for the row itself, since `on conflict` writes one more record to the log.
 * A row that another session has inserted meanwhile is a unique violation.
 */
function insertNew({ table, columns, unless }: Insert & { unless: string }): string {
  const marks = columns.map((column) => markOf(column, "postgres"));
  const at = columns.findIndex((column) => nameOf(column) === unless);
  const position = marks.slice(0, at).join("").split("?").length;
  return `${headOf({ table, columns })} select ${marks.join(", ")}
    where not exists (select 1 from ${table} where ${unless} = $${position})`;
}

/** A statement after the guard for PostgreSQL, as common table expressions. */
function fuse(statement: Plan["also"][number], name: string): string {
  if (!("addTo" in statement) || statement.addTo === undefined) {
    return `${name} as (${render(statement, "postgres", "guard")})`;
  }
  const { table, columns, addTo } = statement;
  const names = columns.map(nameOf);
  const row = columns.map((column) => `${markOf(column, "postgres")} as ${nameOf(column)}`);
  const isSame = addTo.key.map((column) => `${table}.${column} = ${name}_row.${column}`);
  // An update alone does not write the lock of the row to the log, as `on conflict` does.
  return `${name}_row as (select ${row.join(", ")} from guard),
    ${name}_sum as (update ${table} set ${addTo.column} = ${table}.${addTo.column} + ${name}_row.${addTo.column}
      from ${name}_row where ${isSame.join(" and ")} returning 1),
    ${name} as (${headOf(statement)} select ${names.join(", ")} from ${name}_row
      where not exists (select 1 from ${name}_sum) ${onConflictAdd(statement, addTo)})`;
}

function render(
  statement: Insert | InsertSelect | Update | (Insert & { unless: string }),
  language: Language,
  guard?: string,
): string {
  const mark = (column: Column) => markOf(column, language);
  if ("set" in statement) {
    const { table, set, where, still } = statement;
    const assignments = set.map((column) => `${nameOf(column)} = ${mark(column)}`).join(", ");
    const conditions = [...where.map((column) => `${column} = ?`), still];
    if (guard !== undefined) conditions.push(`exists (select 1 from ${guard})`);
    return `update ${table} set ${assignments} where ${conditions.join(" and ")}`;
  }
  const head = headOf(statement);
  if ("select" in statement) return `${head} ${statement.select[language]}`;
  const { columns, replace, addTo } = statement;
  const marks = columns.map(mark).join(", ");
  const rows = guard === undefined ? `values (${marks})` : `select ${marks} from ${guard}`;
  if ("unless" in statement) return `${head} ${rows} on conflict (${statement.unless}) do nothing`;
  if (addTo !== undefined) return `${head} ${rows} ${onConflictAdd(statement, addTo)}`;
  if (replace === undefined) return `${head} ${rows}`;
  const fresh = replace.columns.map((column) => `${column} = excluded.${column}`).join(", ");
  return `${head} ${rows} on conflict (${replace.key.join(", ")}) do update set ${fresh}`;
}

function nameOf(column: Column): string {
  return typeof column === "string" ? column : column.name;
}

function markOf(column: Column, language: Language): string {
  return typeof column === "string" ? "?" : column[language];
}

function headOf({ table, columns }: Pick<Insert, "table" | "columns">): string {
  return `insert into ${table} (${columns.map(nameOf).join(", ")})`;
}

function onConflictAdd({ table }: Insert, { key, column }: NonNullable<Insert["addTo"]>): string {
  const sum = `${column} = ${table}.${column} + excluded.${column}`;
  return `on conflict (${key.join(", ")}) do update set ${sum}`;
}
