import { reserveKey, reserveKeyValues } from "#core/kernel";
import type { StoredResponse, KeyedRequest } from "#core/kernel";
import { outboxColumns, webhookOutbox } from "#core/webhooks";
import type { AuditEventTable, Database, PreparedStatement, RunTable, SqlValue } from "#db";
import { defineGuardedWrite } from "#db";
import type { LogChunk } from "./live/log-store.ts";
import { newRunBytes, newRunBytesValues, ownBytes } from "./storage/storage-quota.ts";

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
  "sealed_input",
  "node_id",
  "created_at",
  "started_at",
  "idempotency_id",
  "attempt",
  "parent_run_id",
  "draft_id",
  "trace_context",
] as const satisfies readonly (keyof RunTable)[];

/** A run to insert. `is_private` is what its caller saw: the row may be private where this is not. */
export type NewRun = Pick<RunTable, (typeof runColumns)[number] | "is_private">;

/** The Idempotency-Key of a run, with the headers of its response. */
export type RunKey = { request: KeyedRequest; headers: StoredResponse["headers"] };

/**
 * Whether a run is private is decided when its row is written, since its tool or its parent may have become private after they
 * were looked up. On PostgreSQL both rows are locked until then, so that `hideUnfinishedRuns` misses no run. Takes four values:
 * whether the caller saw that it is private, the IDs of tool and workspace, and the parent's ID.
 */
function isPrivateNow(lock: string): string {
  return `case when ? = 1
    or (select visibility from tools where id = ? and workspace_id = ?${lock}) = 'private'
    or (select is_private from runs where id = ?${lock}) = 1
    then 1 else 0 end`;
}

const isPrivate = {
  name: "is_private",
  postgres: isPrivateNow(" for share"),
  sqlite: isPrivateNow(""),
};

const insert = { postgres: insertStatement("postgres"), sqlite: insertStatement("sqlite") };

function insertStatement(dialect: "postgres" | "sqlite"): PreparedStatement {
  const marks = runColumns.map(() => "?").join(", ");
  const text = `insert into runs (${runColumns.join(", ")}, is_private) values (${marks}, ${isPrivate[dialect]})`;
  return { name: "insert_run", text };
}

const insertWithKey = defineGuardedWrite({
  name: "insert_run_with_key",
  guard: reserveKey,
  also: [{ table: "runs", columns: [...runColumns, isPrivate] }],
});

/**
 * Inserts a run before its code starts, together with its Idempotency-Key. `response` is the key's stored response, if known
 * already. Returns false when the key is taken: then no run is inserted.
 */
export async function insertRun(
  db: Database,
  run: NewRun,
  key: RunKey | undefined,
  response: string | undefined,
): Promise<boolean> {
  const values = [
    ...runColumns.map((column) => run[column]),
    run.is_private,
    run.tool_id,
    run.workspace_id,
    run.parent_run_id,
  ];
  if (key === undefined) {
    await db.query(insert[db.dialect], values);
    return true;
  }
  const taken = reserveKeyValues(key.request, {
    nodeId: run.node_id,
    runId: run.id,
    headers: key.headers,
    response: response === undefined ? undefined : { status: 200, body: response },
  });
  return db.writeGuarded(insertWithKey, [...taken, ...values]);
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
  "egress",
  "credentials",
  "sealed_input",
  "question",
  "sealed_answer",
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
/** The run may have become private since it was created, so its row decides who sees its event; the value is the run's ID. */
const privateTo = {
  name: "private_to",
  postgres: "(select user_id from guard where id = ? and is_private = 1)",
  sqlite: "(select user_id from runs where id = ? and is_private = 1)",
};
const returning = ["user_id", ...outboxColumns, `${ownBytes} as bytes`];
const audit = { table: "audit_events", columns: [...auditColumns, privateTo] };
const log = {
  table: "run_logs",
  columns: logColumns,
  replace: { key: ["run_id", "chunk"], columns: ["line_count", "body"] },
};
/**
 * Stores the response of a run's Idempotency-Key, unless one is stored. For the run's end only the tool's URL is stored, which
 * depends on the configuration: a replay reads the rest from the run's row, so that the output is stored once.
 */
const keyResponse = {
  table: "idempotency_records",
  set: ["status", "body"],
  where: ["id"],
  still: "status is null",
};
const finalize = {
  plain: defineGuardedWrite({
    name: "finalize_run",
    guard,
    returning,
    also: [audit, newRunBytes, webhookOutbox],
  }),
  withLog: defineGuardedWrite({
    name: "finalize_run_with_log",
    guard,
    returning,
    also: [audit, newRunBytes, webhookOutbox, log],
  }),
  withKey: defineGuardedWrite({
    name: "finalize_run_with_key",
    guard,
    returning,
    also: [audit, newRunBytes, webhookOutbox, keyResponse],
  }),
  withLogAndKey: defineGuardedWrite({
    name: "finalize_run_with_log_and_key",
    guard,
    returning,
    also: [audit, newRunBytes, webhookOutbox, log, keyResponse],
  }),
};

/** Everything that is written at a run's end. */
export type FinalState = {
  runId: string;
  /** The node and attempt that the run must still belong to. */
  nodeId: string;
  attempt: number;
  columns: Pick<RunTable, (typeof endColumns)[number]>;
  event: Omit<AuditEventTable, "private_to">;
  /** The lines that are not stored yet. */
  log: LogChunk | undefined;
  /** Its Idempotency-Key, and the tool's URL in the response. */
  key: { recordId: string; toolUrl: string } | undefined;
};

/**
 * Writes a run's end atomically, if it has not ended yet and still belongs to the node and attempt. Returns false otherwise.
 */
export async function writeFinalState(db: Database, run: FinalState): Promise<boolean> {
  const { runId, nodeId, attempt, columns, event } = run;
  const values: SqlValue[] = [
    ...endColumns.map((column) => columns[column]),
    runId,
    nodeId,
    attempt,
    ...auditColumns.map((column) => event[column]),
    runId,
    ...newRunBytesValues(db, event.workspace_id, runId, run.log),
    event.id,
    runId,
  ];
  if (run.log !== undefined) values.push(runId, run.log.chunk, run.log.lineCount, run.log.body);
  if (run.key === undefined) {
    return db.writeGuarded(run.log ? finalize.withLog : finalize.plain, values);
  }
  values.push(200, JSON.stringify(run.key.toolUrl), run.key.recordId);
  return db.writeGuarded(run.log ? finalize.withLogAndKey : finalize.withKey, values);
}

const storeResponse = defineGuardedWrite({
  name: "store_run_response",
  guard: keyResponse,
  also: [],
});

/** Stores a response that is sent before the run's end; false when the end was first. */
export async function storeEarlyResponse(
  db: Database,
  recordId: string,
  body: string,
): Promise<boolean> {
  return db.writeGuarded(storeResponse, [200, body, recordId]);
}

/** The stored response of a run's Idempotency-Key, if there is one. */
export async function findStoredResponse(
  db: Database,
  recordId: string,
): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("idempotency_records")
    .select("body")
    .where("id", "=", recordId)
    .where("status", "is not", null)
    .executeTakeFirst();
  return row?.body ?? undefined;
}

/** A run of the workspace. Does not check who may see it. */
export async function findRun(
  db: Database,
  { workspaceId }: { workspaceId: string },
  runId: string,
): Promise<RunTable | undefined> {
  return db.kysely
    .selectFrom("runs")
    .selectAll()
    .where("id", "=", runId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
}

/** Which of these runs have ended, or ask a question. */
export async function findNews(
  db: Database,
  runIds: readonly string[],
): Promise<{ id: string; status: string }[]> {
  return db.kysely
    .selectFrom("runs")
    .select(["id", "status"])
    .where("id", "in", runIds)
    .where((run) =>
      run.or([
        run("status", "<>", "running"),
        run.and([run("question", "is not", null), run("sealed_answer", "is", null)]),
      ]),
    )
    .execute();
}
