/**
 * An update that happens only if its row still is as expected, and inserts that happen only with it.
 * On PostgreSQL that is one statement and one round trip; on SQLite one transaction of prepared statements.
 */
export type GuardedWrite = {
  name: string;
  /** For PostgreSQL: everything in one statement. */
  fused: string;
  /** For SQLite: the guard first; how many values each statement takes. */
  steps: readonly { text: string; valueCount: number }[];
};

type Plan = {
  name: string;
  update: { table: string; set: readonly string[]; where: readonly string[]; still: string };
  inserts: readonly { table: string; columns: readonly string[] }[];
};

/**
 * Compiles a plan. Values are given in the order: `set`, `where`, then each insert's columns. `still` is
 * a condition without placeholders, such as `status = 'running'`.
 */
export function defineGuardedWrite(plan: Plan): GuardedWrite {
  const { table, set, where, still } = plan.update;
  const assignments = set.map((column) => `${column} = ?`).join(", ");
  const conditions = [...where.map((column) => `${column} = ?`), still].join(" and ");
  const update = `update ${table} set ${assignments} where ${conditions}`;
  const inserts = plan.inserts.map((insert) => ({
    head: `insert into ${insert.table} (${insert.columns.join(", ")})`,
    marks: insert.columns.map(() => "?").join(", "),
    valueCount: insert.columns.length,
  }));
  const parts = inserts.map(
    ({ head, marks }, index) => `, insert_${index} as (${head} select ${marks} from guard)`,
  );
  return {
    name: plan.name,
    fused: `with guard as (${update} returning 1)${parts.join("")} select count(*)::int as changed from guard`,
    steps: [
      { text: update, valueCount: set.length + where.length },
      ...inserts.map(({ head, marks, valueCount }) => ({
        text: `${head} values (${marks})`,
        valueCount,
      })),
    ],
  };
}
