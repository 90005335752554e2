import type { InsertSelect } from "#db";

const dayMs = 86_400_000;
/** How long a dead letter, or a delivery that is never attempted, is stored. */
export const retainedMs = 30 * dayMs;

const contains = { postgres: "strpos", sqlite: "instr" };
const run = { postgres: "guard", sqlite: "runs" };
/** SQLite would compile a join on a bare placeholder again for each run. */
const runId = { postgres: "?", sqlite: "(select ?)" };

function select(dialect: "postgres" | "sqlite"): string {
  const has = contains[dialect];
  return `select webhooks.id, ?, run.id, run.tool_name, 'run.' || run.status, 'pending', 0, 0,
      run.finished_at, run.finished_at, run.finished_at + ${retainedMs}
    from ${run[dialect]} as run join webhooks on webhooks.workspace_id = run.workspace_id
    where run.id = ${runId[dialect]} and run.is_private = 0 and webhooks.enabled = 1
      and ${has}(webhooks.events, '"run.' || run.status || '"') > 0
      and (webhooks.tools is null or ${has}(webhooks.tools, '"' || run.tool_name || '"') > 0)`;
}

/**
 * Part of the statement that ends a run: adds a delivery for each webhook that reports the run. A private run is not reported.
 * Takes two values: the ID of the event and of the run. On PostgreSQL the guard must return {@link outboxColumns}.
 */
export const webhookOutbox: InsertSelect = {
  table: "webhook_deliveries",
  columns: [
    "webhook_id",
    "event_id",
    "run_id",
    "tool_name",
    "type",
    "state",
    "attempt",
    "uncounted_attempts",
    "due_at",
    "created_at",
    "expires_at",
  ],
  select: { postgres: select("postgres"), sqlite: select("sqlite") },
};

/** The columns of the run that {@link webhookOutbox} reads. */
export const outboxColumns = [
  "id",
  "workspace_id",
  "tool_name",
  "status",
  "is_private",
  "finished_at",
] as const;
