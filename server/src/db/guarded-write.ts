/**
 * A statement that happens only if its row still is as expected (an update) or is new (an insert), and
 * others that happen only with it. On PostgreSQL that is one statement and one round trip; on SQLite one
 * transaction of prepared statements.
 */
export type GuardedWrite = {
  name: string;
  /** For PostgreSQL: everything in one statement. */
  fused: string;
  /** For SQLite: the guard first; how many values each statement takes. */
  steps: readonly { text: string; valueCount: number }[];
};

/** A column that is given a value, or is set to an expression that may hold placeholders. */
type Column = string | { name: string; postgres: string; sqlite: string };

export type Insert = {
  table: string;
  columns: readonly Column[];
  /** A row with the same `key` is there already when an earlier try was not known to have worked. */
  replace?: { key: readonly string[]; columns: readonly string[] };
  /** To a row with the same `key` the column's value is added. */
  addTo?: { key: readonly string[]; column: string };
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
  /** An insert as guard is one that gives way to a row with the same value in its column `unless`. */
  guard: Update | (Insert & { unless: string });
  /** Columns of the guard's row that expressions in `also` read on PostgreSQL, from `guard`. */
  returning?: readonly string[];
  /** Happen only with the guard; an update among them may find its row changed, and then changes nothing. */
  also: readonly (Insert | Update)[];
};

/**
 * Compiles a plan. Values are given statement by statement: of an update those of `set`, then of `where`;
 * of an insert those of its columns.
 */
export function defineGuardedWrite({ name, guard, returning = ["1"], also }: Plan): GuardedWrite {
  const parts = also.map(
    (statement, index) => `, also_${index} as (${render(statement, "postgres", "guard")})`,
  );
  return {
    name,
    fused: `with guard as (${render(guard, "postgres")} returning ${returning.join(", ")})${parts.join("")} select count(*)::int as changed from guard`,
    steps: [guard, ...also].map((statement) => {
      const text = render(statement, "sqlite");
      return { text, valueCount: text.split("?").length - 1 };
    }),
  };
}

type Language = "postgres" | "sqlite";

function render(
  statement: Insert | Update | (Insert & { unless: string }),
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
  const { table, columns, replace, addTo } = statement;
  const head = `insert into ${table} (${columns.map(nameOf).join(", ")})`;
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
