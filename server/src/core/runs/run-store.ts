import type { CompiledQuery } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { AuditEventTable, Database, PreparedStatement, RunTable, SqlValue } from "#db";
import { defineGuardedWrite } from "#db";
import { newRunBytes, newRunBytesValues, ownBytes } from "./run-bytes-store.ts";
import { noNode } from "./queue-store.ts";
import type { LogChunk } from "./run-log.ts";

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
  "egress",
  "credentials",
  "sealed_input",
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

const still = "status = 'running'";
const guard = { table: "runs", set: endColumns, where: ["id", "node_id", "attempt"], still };
/** The run may have become private since it began, so its row decides who sees its event; the value is the run's id. */
const privateTo = {
  name: "private_to",
  postgres: "(select user_id from guard where id = ? and is_private = 1)",
  sqlite: "(select user_id from runs where id = ? and is_private = 1)",
};
const returning = ["id", "user_id", "is_private", `${ownBytes} as bytes`];
const audit = { table: "audit_events", columns: [...auditColumns, privateTo] };
const log = {
  table: "run_logs",
  columns: logColumns,
  replace: { key: ["run_id", "chunk"], columns: ["line_count", "body"] },
};
/**
 * Makes the run's end the answer of its Idempotency-Key, unless one was given before. Only the tool's address is stored,
 * which depends on the configuration: a replay reads the rest from the run's row, so that the output is stored once.
 */
const answer = {
  table: "idempotency_records",
  set: ["status", "body"],
  where: ["id"],
  still: "status is null",
};
const ends = {
  bare: defineGuardedWrite({ name: "end_run", guard, returning, also: [audit, newRunBytes] }),
  logged: defineGuardedWrite({
    name: "end_run_logged",
    guard,
    returning,
    also: [audit, newRunBytes, log],
  }),
  answered: defineGuardedWrite({
    name: "end_run_answered",
    guard,
    returning,
    also: [audit, newRunBytes, answer],
  }),
  both: defineGuardedWrite({
    name: "end_run_both",
    guard,
    returning,
    also: [audit, newRunBytes, log, answer],
  }),
};

/** A run's end: its last columns, the event that records it, and the rest of its log. */
export type RunEnd = {
  runId: string;
  /** Whose run it must still be. */
  nodeId: string;
  attempt: number;
  columns: Pick<RunTable, (typeof endColumns)[number]>;
  event: Omit<AuditEventTable, "private_to">;
  log: LogChunk | undefined;
  /** For its Idempotency-Key. */
  answer: { recordId: string; toolUrl: string } | undefined;
};

/**
 * Writes a run's end and all that goes with it at once, only if it has not ended yet and still is this
 * node's. False when it was somebody else's to end.
 */
export async function endRun(db: Database, run: RunEnd): Promise<boolean> {
  const { runId, nodeId, attempt, columns, event } = run;
  const values: SqlValue[] = [
    ...endColumns.map((column) => columns[column]),
    runId,
    nodeId,
    attempt,
    ...auditColumns.map((column) => event[column]),
    runId,
    ...newRunBytesValues(db, event.workspace_id, runId, run.log),
  ];
  if (run.log !== undefined) values.push(runId, run.log.chunk, run.log.lineCount, run.log.body);
  if (run.answer !== undefined) {
    values.push(200, JSON.stringify(run.answer.toolUrl), run.answer.recordId);
  }
  if (run.answer === undefined) return db.writeGuarded(run.log ? ends.logged : ends.bare, values);
  return db.writeGuarded(run.log ? ends.both : ends.answered, values);
}

const writeProgress: PreparedStatement = {
  name: "set_run_progress",
  text: "update runs set progress = ? where id = ? and status = 'running'",
};

export async function setProgress(db: Database, runId: string, progress: string): Promise<void> {
  await db.query(writeProgress, [progress, runId]);
}

/** Writes some lines of a run that is under way. */
export async function insertLogChunk(
  db: Database,
  runId: string,
  { chunk, lineCount, body }: LogChunk,
): Promise<void> {
  const row = { run_id: runId, chunk, line_count: lineCount, body };
  await db.kysely
    .insertInto("run_logs")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["run_id", "chunk"]).doUpdateSet({ line_count: lineCount, body }),
    )
    .execute();
}

/** What a run of a workspace looks like to the service itself. */
export async function findRun(
  db: Database,
  { workspaceId }: Pick<RunViewer, "workspaceId">,
  runId: string,
): Promise<RunTable | undefined> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("id", "=", runId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
}

/** A run, if the viewer may see it. */
export async function findVisibleRun(
  db: Database,
  viewer: RunViewer,
  runId: string,
): Promise<RunTable | undefined> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("id", "=", runId)
    .where("workspace_id", "=", viewer.workspaceId)
    .where(isRunVisible(viewer))
    .executeTakeFirst();
}

/** A run's log from a chunk on, in order. */
export async function findLogs(
  db: Database,
  runId: string,
  fromChunk: number,
): Promise<{ chunk: number; body: Buffer }[]> {
  return db.kysely
    .selectFrom("run_logs")
    .select(["chunk", "body"])
    .where("run_id", "=", runId)
    .where("chunk", ">=", fromChunk)
    .orderBy("chunk")
    .execute();
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

/** Of these runs, those that have ended. */
export async function findEndedRuns(db: Database, runIds: readonly string[]): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("runs")
    .select("id")
    .where("id", "in", runIds)
    .where("status", "<>", "running")
    .execute();
  return rows.map(({ id }) => id);
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
    .where("node_id", "not in", [...liveNodeIds, noNode])
    .limit(500)
    .execute();
}

/** Runs under way on a node that were begun before a time. */
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
    .where("started_at", "<", before)
    .execute();
}
