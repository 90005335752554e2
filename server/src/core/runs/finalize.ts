import { setTimeout as sleep } from "node:timers/promises";
import type { Run, RunError, RunErrorCode } from "@toolhost/contract";
import type { ExecuteResult } from "@toolhost/sandbox";
import { toolUrl } from "#core/catalog";
import type { RunnableTool } from "#core/catalog";
import { auditEvent, KeyTakenError } from "#core/kernel";
import { explainOutage } from "#db";
import type { AuditEventTable, RunTable } from "#db";
import type { EndedRun } from "#telemetry";
import { callerOfRun } from "./active-runs.ts";
import type { ActiveRun, ExecutableRun } from "./active-runs.ts";
import type { RunsContext } from "./context.ts";
import { packLogs } from "./live/run-log.ts";
import type { RunOutcome } from "./records/present-run.ts";
import { broadcast } from "./relay/node-messages.ts";
import { evaluateResult } from "./results/evaluate-result.ts";
import type { UnwrittenRun } from "./run-record.ts";
import { insertEndedRun, writeFinalState } from "./end-store.ts";
import { findRun } from "./run-store.ts";
import type { FinalState, WrittenEnd } from "./end-store.ts";
import { retryUntilWritten } from "./retry-until-written.ts";
import { addStoredBytes, nextShard } from "./storage/storage-quota.ts";
import { traceLostRun } from "./trace-run.ts";

/**
 * Writes the end of a run that this node executed, and returns the recorded end: another node's, if that ended the run
 * first because it considered this node offline.
 */
export async function finalizeRun(
  context: RunsContext,
  tool: RunnableTool,
  run: ExecutableRun,
  active: ActiveRun,
  result: ExecuteResult,
): Promise<RunOutcome> {
  const { status, output, outputValue, error } = evaluateSafely(context, tool, run, result);
  const { progress } = active;
  const columns = {
    status,
    queued: 0,
    output,
    error: error === null ? null : JSON.stringify(error),
    progress: progress === undefined ? null : JSON.stringify(progress),
    started_at: run.started_at,
    finished_at: context.clock.now(),
    duration_ms: result.durationMs,
    cpu_ms: result.cpuMs,
    logs_truncated: result.logsTruncated ? 1 : 0,
    egress: result.egress.length === 0 ? null : JSON.stringify(result.egress),
    credentials: credentialUse(active.credentials, result.secretUse),
    sealed_input: null,
    question: null,
    sealed_answer: null,
  };
  const rest = result.logs.slice(active.storedLines);
  const log = await packLogs(rest, run.attempt, active.storedChunks);
  const credentials = active.credentials.map(({ name }) => name);
  const state = finalState(context, run, { columns, log, credentials });
  const written = await writeEnd(context, active, state);
  if (written !== undefined) {
    const bytes = (output?.length ?? 0) + (columns.error?.length ?? 0) + (log?.body.length ?? 0);
    addStoredBytes(context, run.workspace_id, bytes);
    context.meter.runEnded({
      ...endOf(run, status, error?.code),
      durationMs: result.durationMs,
      sandboxWaitMs: result.waitMs,
    });
    const { id, tool_name } = run;
    const { is_private } = written;
    const ended = { id, tool_name, status, is_private, queued: 0, output, outputValue };
    return { ...ended, error: columns.error };
  }
  const row = await retryUntilWritten(context, () =>
    findRun(context.db, { workspaceId: run.workspace_id }, run.id),
  );
  if (row === undefined) throw new Error("The row of a run is missing");
  context.log.warn({ runId: run.id }, "another node ended or recovered a run of this node");
  return row;
}

/** Writes a run's end, and the run itself if it was not written yet. Returns undefined if another node has ended it. */
async function writeEnd(
  context: RunsContext,
  { record }: ActiveRun,
  state: FinalState,
): Promise<WrittenEnd | undefined> {
  const { db } = context;
  const complete = await record.writeWithEnd((unwritten) =>
    writeUnwritten(context, unwritten, state),
  );
  if (complete !== undefined) return complete;
  await record.ensure();
  return retryUntilWritten(context, () => writeFinalState(db, state));
}

const maxUnwrittenAttempts = 7;
const firstPauseMs = 50;

/**
 * Writes a run whose ID no caller knows yet. Its code had no effect, so during an outage the caller gets an error.
 * Throws `KeyTakenError`. An attempt that failed may have been committed: then the next one changes nothing.
 */
async function writeUnwritten(
  { db }: RunsContext,
  unwritten: UnwrittenRun,
  state: FinalState,
): Promise<WrittenEnd> {
  const { id, workspace_id: workspaceId } = unwritten.row;
  for (let attempt = 1; ; attempt++) {
    try {
      const written =
        (await insertEndedRun(db, unwritten, state)) ??
        (attempt > 1 ? await findRun(db, { workspaceId }, id) : undefined);
      if (written === undefined) throw new KeyTakenError();
      return written;
    } catch (error) {
      if (explainOutage(error) === undefined || attempt === maxUnwrittenAttempts) throw error;
      await sleep(firstPauseMs * 2 ** attempt);
    }
  }
}

/** What a run ends with: `cancelled`, or `failed` with this code. */
type LostRunEnd = "cancelled" | RunErrorCode;

/**
 * Ends a run that no node executes, and notifies its waiters. Returns false when it has ended, or a node has claimed it since its
 * row was read.
 */
export async function finalizeLostRun(
  context: RunsContext,
  row: RunTable,
  end: LostRunEnd,
): Promise<boolean> {
  const isCancelled = end === "cancelled";
  const message = "The process that executed the run was lost. Run the tool again.";
  const state = finalState(context, row, {
    columns: {
      status: isCancelled ? "cancelled" : "failed",
      queued: 0,
      output: null,
      error: isCancelled ? null : JSON.stringify({ code: end, message }),
      progress: row.progress,
      started_at: row.started_at,
      finished_at: context.clock.now(),
      duration_ms: null,
      cpu_ms: null,
      logs_truncated: 0,
      egress: null,
      credentials: null,
      sealed_input: null,
      question: null,
      sealed_answer: null,
    },
    log: undefined,
    credentials: [],
  });
  const isWritten = (await writeFinalState(context.db, state)) !== undefined;
  if (isWritten) {
    traceLostRun(context, row, state.columns);
    context.meter.runEnded(
      endOf(row, isCancelled ? "cancelled" : "failed", isCancelled ? undefined : end),
    );
    context.runs.completions.notify(row.id);
    broadcast(context, { kind: "ended", runId: row.id });
  }
  return isWritten;
}

/** What the metrics count. A draft is no tool yet. */
function endOf(
  { workspace_id: workspaceId, tool_name: toolName, draft_id: draftId }: ExecutableRun,
  outcome: EndedRun["outcome"],
  code: string | undefined,
): EndedRun {
  return { workspaceId, toolName: draftId === null ? toolName : undefined, outcome, code };
}

/** Each credential that the code could use, and the hosts that it was sent to. */
function credentialUse(
  held: ActiveRun["credentials"],
  uses: ExecuteResult["secretUse"],
): string | null {
  if (held.length === 0) return null;
  const hosts = new Map(uses.map((use) => [use.name, use.hosts]));
  const used = held.map((credential) => ({
    ...credential,
    hosts: hosts.get(credential.name) ?? [],
  }));
  return JSON.stringify(used satisfies Run["credentials"]);
}

type End = {
  columns: FinalState["columns"];
  log: FinalState["log"];
  /** Names of the credentials that the code could use. */
  credentials: readonly string[];
};

function finalState(
  context: RunsContext,
  run: ExecutableRun,
  { columns, log, credentials }: End,
): FinalState {
  const { idempotency_id: recordId } = run;
  return {
    runId: run.id,
    nodeId: run.node_id,
    attempt: run.attempt,
    columns,
    event: auditEventOf(run, columns, credentials),
    shard: nextShard(context),
    log,
    key:
      recordId === null
        ? undefined
        : { recordId, toolUrl: toolUrl(context.config.baseUrl, run.tool_name) },
  };
}

/** A run is one audit event, written with its end and attributed to its caller. */
function auditEventOf(
  run: ExecutableRun,
  { status, error, finished_at }: FinalState["columns"],
  credentials: readonly string[],
): AuditEventTable {
  const code = error === null ? undefined : (JSON.parse(error) as RunError).code;
  return auditEvent(finished_at ?? 0, callerOfRun(run), {
    action: "run.create",
    target: run.id,
    outcome: code ?? (status === "completed" ? "success" : status),
    details: {
      toolName: run.tool_name,
      toolVersion: run.tool_version,
      ...(run.parent_run_id === null ? {} : { parentRunId: run.parent_run_id }),
      ...(run.draft_id === null ? {} : { draftId: run.draft_id }),
      ...(credentials.length === 0 ? {} : { credentials: credentials.join(" ") }),
    },
  });
}

/** A run must end even when its result cannot be processed. */
function evaluateSafely(
  context: RunsContext,
  tool: RunnableTool,
  run: ExecutableRun,
  result: ExecuteResult,
): ReturnType<typeof evaluateResult> {
  try {
    return evaluateResult(tool, result);
  } catch (error) {
    context.log.warn({ err: error, runId: run.id }, "could not process the result of a run");
    const message = "The tool's output could not be processed.";
    return { status: "failed", output: null, error: { code: "invalid_output", message } };
  }
}
