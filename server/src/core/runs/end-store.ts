import { reserveKey, reserveKeyValues } from "#core/kernel";
import { outboxColumns, webhookOutbox } from "#core/webhooks";
import type { AuditEventTable, Database, RunTable, SqlValue } from "#db";
import { defineGuardedWrite } from "#db";
import type { LogChunk } from "./live/log-store.ts";
import {
  computedColumnsOfEnded,
  computedValues,
  explainInsertError,
  runColumns,
} from "./new-run.ts";
import { compactHeaders } from "./replay-headers.ts";
import type { UnwrittenRun } from "./run-record.ts";
import { newRunBytes, newRunBytesValues, ownBytes } from "./storage/storage-quota.ts";

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
/** The row decides as well whether ancestors of the run become private. */
const result = ["is_private"];
const audit = { table: "unsealed_run_events", columns: [...auditColumns, privateTo] };
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
    result,
    also: [audit, newRunBytes, webhookOutbox],
  }),
  withLog: defineGuardedWrite({
    name: "finalize_run_with_log",
    guard,
    returning,
    result,
    also: [audit, newRunBytes, webhookOutbox, log],
  }),
  withKey: defineGuardedWrite({
    name: "finalize_run_with_key",
    guard,
    returning,
    result,
    also: [audit, newRunBytes, webhookOutbox, keyResponse],
  }),
  withLogAndKey: defineGuardedWrite({
    name: "finalize_run_with_log_and_key",
    guard,
    returning,
    result,
    also: [audit, newRunBytes, webhookOutbox, log, keyResponse],
  }),
};

/** Columns of a run's beginning that its end does not overwrite. */
const beginColumns = runColumns.filter(
  (column) => !(endColumns as readonly string[]).includes(column),
);
const endedRow = {
  table: "runs",
  columns: [...beginColumns, ...endColumns, ...computedColumnsOfEnded],
};
const newEndedRow = { ...endedRow, unless: "id" };
const insertEnded = {
  plain: defineGuardedWrite({
    name: "insert_ended_run",
    guard: newEndedRow,
    returning,
    result,
    also: [audit, newRunBytes, webhookOutbox],
  }),
  withLog: defineGuardedWrite({
    name: "insert_ended_run_with_log",
    guard: newEndedRow,
    returning,
    result,
    also: [audit, newRunBytes, webhookOutbox, log],
  }),
  withKey: defineGuardedWrite({
    name: "insert_ended_run_with_key",
    before: reserveKey,
    guard: endedRow,
    returning,
    result,
    also: [audit, newRunBytes, webhookOutbox],
  }),
  withLogAndKey: defineGuardedWrite({
    name: "insert_ended_run_with_log_and_key",
    before: reserveKey,
    guard: endedRow,
    returning,
    result,
    also: [audit, newRunBytes, webhookOutbox, log],
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
  /** The shard of its workspace's sum of bytes. */
  shard: number;
  /** The lines that are not stored yet. */
  log: LogChunk | undefined;
  /** Its Idempotency-Key, and the tool's URL in the response. */
  key: { recordId: string; toolUrl: string } | undefined;
};

/** What is known of a run only once its end is written. */
export type WrittenEnd = Pick<RunTable, "is_private">;

/**
 * Writes a run's end atomically, if it has not ended yet and still belongs to the node and attempt. Returns undefined otherwise.
 */
export async function writeFinalState(
  db: Database,
  run: FinalState,
): Promise<WrittenEnd | undefined> {
  const { runId, nodeId, attempt, columns } = run;
  const values: SqlValue[] = [
    ...endColumns.map((column) => columns[column]),
    runId,
    nodeId,
    attempt,
    ...followingValues(run),
  ];
  if (run.key === undefined) {
    return db.writeGuarded(run.log ? finalize.withLog : finalize.plain, values);
  }
  values.push(200, JSON.stringify(run.key.toolUrl), run.key.recordId);
  return db.writeGuarded(run.log ? finalize.withLogAndKey : finalize.withKey, values);
}

/**
 * Writes a run that has ended before it was written, with its Idempotency-Key and its end. Returns undefined if its key is
 * taken or its row exists: then nothing is written. Throws `unauthenticated` if the user is no longer a member.
 */
export async function insertEndedRun(
  db: Database,
  { row, key }: UnwrittenRun,
  end: FinalState,
): Promise<WrittenEnd | undefined> {
  const { columns, log: chunk } = end;
  const reserved =
    key === undefined || end.key === undefined
      ? []
      : reserveKeyValues(key.request, {
          // Only a key whose request is in progress belongs to a node.
          nodeId: "",
          runId: row.id,
          headers: compactHeaders(key.headers, row.request_id),
          response: { status: 200, body: JSON.stringify(end.key.toolUrl) },
        });
  // The record refers to the run, which needs the reference back only until its end.
  const begin = key?.isSearched === true ? row : { ...row, idempotency_id: null };
  const values: SqlValue[] = [
    ...reserved,
    ...beginColumns.map((column) => begin[column]),
    ...endColumns.map((column) => columns[column]),
    ...computedValues(row),
    ...followingValues(end),
  ];
  const { plain, withLog, withKey, withLogAndKey } = insertEnded;
  const [unlogged, logged] = key === undefined ? [plain, withLog] : [withKey, withLogAndKey];
  try {
    return await db.writeGuarded(chunk === undefined ? unlogged : logged, values);
  } catch (error) {
    throw explainInsertError(error);
  }
}

/** The values of audit event, bytes, webhook events and log. */
function followingValues({ runId, event, shard, log: chunk }: FinalState): SqlValue[] {
  const values: SqlValue[] = [
    ...auditColumns.map((column) => event[column]),
    runId,
    ...newRunBytesValues({ workspaceId: event.workspace_id, shard, runId }, chunk),
    event.id,
    runId,
  ];
  if (chunk !== undefined) values.push(runId, chunk.chunk, chunk.lineCount, chunk.body);
  return values;
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
  return (await db.writeGuarded(storeResponse, [200, body, recordId])) !== undefined;
}
