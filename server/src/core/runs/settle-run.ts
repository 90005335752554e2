import { setTimeout as sleep } from "node:timers/promises";
import type { Run, RunError, RunStatus, Via } from "@toolhost/contract";
import type { ExecuteResult } from "@toolhost/sandbox";
import type { Actor } from "#core/kernel";
import { auditEvent } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { toolUrl } from "#core/catalog";
import type { RunnableTool } from "#core/catalog";
import type { AuditEventTable, RunTable } from "#db";
import type { ActiveRun } from "./active-runs.ts";
import { checkOutput } from "./check-output.ts";
import type { WorkableRun } from "./execute-run.ts";
import { mapStack } from "./map-stack.ts";
import { packLogs } from "./run-log.ts";
import { noteRunBytes } from "./run-bytes.ts";
import { endRun, findRun } from "./run-store.ts";
import type { RunEnd } from "./run-store.ts";
import type { RunOutcome } from "./run.ts";

/**
 * Writes the end of a run and answers with what is on record: when another node ended the run first, since
 * it held this one for dead, that is the other's end.
 */
export async function settleRun(
  context: RunsContext,
  tool: RunnableTool,
  run: WorkableRun,
  active: ActiveRun,
  result: ExecuteResult,
): Promise<RunOutcome> {
  const { status, output, error } = judgeSafely(context, tool, run, result);
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
    credentials: describeUse(active.credentials, result.secretUse),
    sealed_input: null,
  };
  const rest = result.logs.slice(active.storedLines);
  const log = await packLogs(rest, run.attempt, active.storedChunks);
  const end = runEnd(context, run, {
    columns,
    log,
    credentials: active.credentials.map(({ name }) => name),
  });
  if (await insist(context, () => endRun(context.db, end))) {
    noteRunBytes(context, end);
    return outcomeOf(run, columns);
  }
  const row = await insist(context, () =>
    findRun(context.db, { workspaceId: run.workspace_id }, run.id),
  );
  if (row === undefined) throw new Error("The record of a run is gone");
  context.log.warn({ runId: run.id }, "a run of this node was ended or taken by another");
  return row;
}

/** Each credential that the code could use, and where it was sent. */
function describeUse(
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

type Ending = {
  columns: RunEnd["columns"];
  log: RunEnd["log"];
  /** Names of those that the code could use. */
  credentials: readonly string[];
};

/** All that is written at a run's end, whoever ends it. */
export function runEnd(
  context: RunsContext,
  run: Omit<WorkableRun, "input" | "tool_id">,
  { columns, log, credentials }: Ending,
): RunEnd {
  const { idempotency_id: recordId } = run;
  return {
    runId: run.id,
    nodeId: run.node_id,
    attempt: run.attempt,
    columns,
    event: endEvent(run, columns, credentials),
    log,
    answer:
      recordId === null
        ? undefined
        : { recordId, toolUrl: toolUrl(context.config.baseUrl, run.tool_name) },
  };
}

function outcomeOf(
  run: Pick<RunTable, "id" | "tool_name">,
  { status, output, error }: RunEnd["columns"],
): RunOutcome {
  return { id: run.id, tool_name: run.tool_name, status, queued: 0, output, error };
}

/** A run is one event, written with its end and in the name of whoever asked for it. */
function endEvent(
  run: Omit<WorkableRun, "input" | "tool_id">,
  { status, error, finished_at }: RunEnd["columns"],
  credentials: readonly string[],
): AuditEventTable {
  const code = error === null ? undefined : (JSON.parse(error) as RunError).code;
  const who = {
    workspaceId: run.workspace_id,
    actor: JSON.parse(run.actor) as Actor,
    via: run.via as Via,
    requestId: run.request_id,
    ip: run.ip,
  };
  return auditEvent(finished_at ?? 0, who, {
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

/** A run must end even when what its tool left behind is more than we can read. */
function judgeSafely(
  context: RunsContext,
  tool: RunnableTool,
  run: WorkableRun,
  result: ExecuteResult,
): Judgment {
  try {
    return judge(tool, result);
  } catch (error) {
    context.log.warn({ err: error, runId: run.id }, "a run's result could not be read");
    const message = "The tool's output could not be read.";
    return { status: "failed", output: null, error: { code: "invalid_output", message } };
  }
}

type Judgment = { status: RunStatus; output: string | null; error: RunError | null };

/** What a result means for the run: a completed one still has to match the declared output. */
function judge(tool: RunnableTool, result: ExecuteResult): Judgment {
  if (result.status === "cancelled") return { status: "cancelled", output: null, error: null };
  if (result.status === "failed") {
    const { stack, ...error } = result.error;
    const mapped = stack && mapStack(stack, tool.sourceMap, tool.sourceFile);
    return {
      status: "failed",
      output: null,
      error: { ...error, ...(mapped && { stack: mapped }) },
    };
  }
  const checked = checkOutput(result.output, tool.definition.outputSchema);
  if ("problem" in checked) {
    const error = { code: "invalid_output" as const, message: checked.problem };
    return { status: "failed", output: null, error };
  }
  return { status: "completed", output: JSON.stringify(checked.output), error: null };
}

const firstPauseMs = 50;
const maxPauseMs = 3_000;
/** How long a stopping service still tries. */
const lastTriesMs = 5_000;

/**
 * Tries again for as long as the database fails, since a run's result must not be lost to an outage. The run
 * keeps its place meanwhile, so results cannot pile up.
 */
async function insist<T>(context: RunsContext, ask: () => Promise<T>): Promise<T> {
  let stoppingSince: number | undefined;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    try {
      return await ask();
    } catch (error) {
      if (context.cluster.isStopping) stoppingSince ??= performance.now();
      const isOver = stoppingSince !== undefined && performance.now() - stoppingSince > lastTriesMs;
      if (isOver) throw error;
      context.log.debug({ err: error }, "a run's end could not be written yet");
      await sleep(pause);
    }
  }
}
