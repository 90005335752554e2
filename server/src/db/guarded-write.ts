/**
 * A statement that applies only if its row is unchanged (an update) or new (an insert), with others that apply only
 * together with it. On PostgreSQL all of them are one statement and one round trip; on SQLite, one transaction of
 * prepared statements.
 */
export type GuardedWrite = {
  name: string;
  /** For PostgreSQL: all statements as one. */
  fused: string;
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
  /** If a row with the same `key` exists, the value is added to its column. */
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
};

/**
 * Compiles a plan. The values follow the order of the statements: for an update those of `set`, then of `where`; for an
 * insert those of its columns.
 */
export function defineGuardedWrite(plan: Plan): GuardedWrite {
  const { name, before, guard, returning = ["1"], also } = plan;
  const first =
    before === undefined ? "" : `before as (${render(before, "postgres")} returning 1), `;
  const guardText = render(guard, "postgres", before === undefined ? undefined : "before");
  const parts = also.map(
    (statement, index) => `, also_${index} as (${render(statement, "postgres", "guard")})`,
  );
  return {
    name,
    fused: `with ${first}guard as (${guardText} returning ${returning.join(", ")})${parts.join("")} select count(*)::int as changed from guard`,
    steps: [...(before === undefined ? [] : [before]), guard, ...also].map((statement) => {
      const text = render(statement, "sqlite");
      return { text, valueCount: text.split("?").length - 1 };
    }),
  };
}

type Language = "postgres" | "sqlite";

function render(
  statement: Insert | InsertSelect | Update | (Insert & { unless: string }),
  language: Language,
  guard?: string,
): string {
  const mark = (column: Column) => (typeof column === "string" ? "?" : column[language]);
  if ("set" in statement) {
    const { table, set, where, still } = statement;
    const assignments = set.map((column) => `${nameOf(column)} = ${mark(column)}`).join(", ");
    const conditions = [...where.map((column) => `${column} = ?`), still];
    if (guard !== undefined) conditions.push(`exists (select 1 from ${guard})`);
    return `update ${table} set ${assignments} where ${conditions.join(" and ")}`;
  }
  const head = `insert into ${statement.table} (${statement.columns.map(nameOf).join(", ")})`;
  if ("select" in statement) return `${head} ${statement.select[language]}`;
  const { table, columns, replace, addTo } = statement;
  const marks = columns.map(mark).join(", ");
  const rows = guard === undefined ? `values (${marks})` : `select ${marks} from ${guard}`;
  if ("unless" in statement) return `${head} ${rows} on conflict (${statement.unless}) do nothing`;
  if (addTo !== undefined) {
    const { key, column } = addTo;
    const sum = `${column} = ${table}.${column} + excluded.${column}`;
    return `${head} ${rows} on conflict (${key.join(", ")}) do update set ${sum}`;
  }
  if (replace === undefined) return `${head} ${rows}`;
  const fresh = replace.columns.map((column) => `${column} = excluded.${column}`).join(", ");
  return `${head} ${rows} on conflict (${replace.key.join(", ")}) do update set ${fresh}`;
}

function nameOf(column: Column): string {
  return typeof column === "string" ? column : column.name;
}
