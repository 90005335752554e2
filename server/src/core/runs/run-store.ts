import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Caller } from "#core/access";
import type { AuditEventTable, Database, PreparedStatement, RunTable } from "#db";
import { defineGuardedWrite } from "#db";

const runColumns = [
  "id",
  "workspace_id",
  "tool_id",
  "tool_name",
  "tool_version",
  "user_id",
  "status",
  "queued",
  "via",
  "actor",
  "request_id",
  "ip",
  "input",
  "node_id",
  "created_at",
  "started_at",
] as const satisfies readonly (keyof RunTable)[];

/** A run as it begins. */
export type NewRun = Pick<RunTable, (typeof runColumns)[number]>;

const insert: PreparedStatement = {
  name: "insert_run",
  text: `insert into runs (${runColumns.join(", ")}) values (${runColumns.map(() => "?").join(", ")})`,
};

/** Writes the run before its code starts. */
export async function insertRun(db: Database, run: NewRun): Promise<void> {
  await db.query(
    insert,
    runColumns.map((column) => run[column]),
  );
}

const endColumns = [
  "status",
  "queued",
  "output",
  "error",
  "progress",
  "started_at",
  "finished_at",
  "duration_ms",
  "cpu_ms",
  "logs_truncated",
] as const satisfies readonly (keyof RunTable)[];

const auditColumns = [
  "id",
  "workspace_id",
  "at",
  "actor",
  "user_id",
  "via",
  "action",
  "target",
  "outcome",
  "request_id",
  "ip",
  "details",
] as const satisfies readonly (keyof AuditEventTable)[];

const logColumns = ["run_id", "chunk", "line_count", "body"] as const;

const guard = {
  table: "runs",
  set: endColumns,
  where: ["id", "node_id"],
  still: "status = 'running'",
};
const audit = { table: "audit_events", columns: auditColumns };
const end = defineGuardedWrite({ name: "end_run", update: guard, inserts: [audit] });
const endWithLogs = defineGuardedWrite({
  name: "end_run_with_logs",
  update: guard,
  inserts: [audit, { table: "run_logs", columns: logColumns }],
});

/** A run's end: its last columns, the event that records it, and its log if it wrote one. */
export type RunEnd = {
  runId: string;
  nodeId: string;
  columns: Pick<RunTable, (typeof endColumns)[number]>;
  event: AuditEventTable;
  logs: { lineCount: number; body: Buffer } | undefined;
};

/**
 * Writes a run's end, event and log at once, only if it has not ended yet and still is this node's.
 * False when it was somebody else's to end.
 */
export async function endRun(db: Database, { runId, ...run }: RunEnd): Promise<boolean> {
  const values = [
    ...endColumns.map((column) => run.columns[column]),
    runId,
    run.nodeId,
    ...auditColumns.map((column) => run.event[column]),
  ];
  if (run.logs === undefined) return db.writeGuarded(end, values);
  return db.writeGuarded(endWithLogs, [...values, runId, 0, run.logs.lineCount, run.logs.body]);
}

const start: PreparedStatement = {
  name: "start_queued_run",
  text: "update runs set queued = 0, started_at = ? where id = ? and status = 'running'",
};

/** Marks a queued run as started. */
export async function startRun(db: Database, runId: string, now: number): Promise<void> {
  await db.query(start, [now, runId]);
}

const writeProgress: PreparedStatement = {
  name: "set_run_progress",
  text: "update runs set progress = ? where id = ? and status = 'running'",
};

export async function setProgress(db: Database, runId: string, progress: string): Promise<void> {
  await db.query(writeProgress, [progress, runId]);
}

type Viewer = Pick<Caller, "workspaceId">;

export async function findRun(
  db: Database,
  viewer: Viewer,
  runId: string,
): Promise<RunTable | undefined> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("id", "=", runId)
    .where("workspace_id", "=", viewer.workspaceId)
    .executeTakeFirst();
}

const listColumns = [
  ...runColumns.filter((column) => column !== "input"),
  ...endColumns.filter((column) => !["status", "queued", "started_at", "output"].includes(column)),
] as Exclude<keyof RunTable, "input" | "output">[];

function ifSmall(column: "input" | "output") {
  const value = sql.ref(column);
  return sql<
    string | null
  >`case when length(${value}) <= ${sql.lit(listedCharacters)} then ${value} end`;
}

export type RunFilter = { toolName?: string | undefined; status?: string | undefined };

/** What a list shows of an input or an output is at most so many characters long, or left out. */
const listedCharacters = 16_384;

/** A run as lists show it: without an input or output that is large. */
export type ListedRun = Omit<RunTable, "input"> & { input: string | null };

/** A workspace's runs, newest first. */
export async function listRuns(
  db: Database,
  viewer: Viewer,
  filter: RunFilter,
  page: { limit: number; after: string | undefined },
): Promise<ListedRun[]> {
  let query = db.kysely
    .selectFrom("runs")
    .select([...listColumns, ifSmall("input").as("input"), ifSmall("output").as("output")])
    .where("workspace_id", "=", viewer.workspaceId);
  if (page.after !== undefined) query = query.where("id", "<", page.after);
  if (filter.toolName !== undefined) query = query.where("tool_name", "=", filter.toolName);
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  return query.orderBy("id", "desc").limit(page.limit).execute();
}

export async function findLogs(db: Database, runId: string): Promise<Buffer[]> {
  const rows = await db.kysely
    .selectFrom("run_logs")
    .select("body")
    .where("run_id", "=", runId)
    .orderBy("chunk")
    .execute();
  return rows.map(({ body }) => body);
}

/** Asks whichever node works on a run to stop it; changes nothing when it has ended. */
export function requestCancel(db: Database, runId: string): CompiledQuery {
  return db.kysely
    .updateTable("runs")
    .set({ cancel_requested: 1 })
    .where("id", "=", runId)
    .where("status", "=", "running")
    .compile();
}

/** Runs of a node that somebody wants stopped. */
export async function findCancelRequests(db: Database, nodeId: string): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("runs")
    .select("id")
    .where("status", "=", "running")
    .where("node_id", "=", nodeId)
    .where("cancel_requested", "=", 1)
    .execute();
  return rows.map(({ id }) => id);
}

/** Runs that are under way on nodes that no longer live. */
export async function findAbandonedRuns(
  db: Database,
  liveNodeIds: readonly string[],
): Promise<RunTable[]> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("status", "=", "running")
    .where("node_id", "not in", liveNodeIds)
    .limit(500)
    .execute();
}

/** Runs under way on a node that were accepted before a time. */
export async function findRunsOfNode(
  db: Database,
  nodeId: string,
  before: number,
): Promise<RunTable[]> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("status", "=", "running")
    .where("node_id", "=", nodeId)
    .where("created_at", "<", before)
    .execute();
}
