import type { ExecuteResult } from "@toolhost/sandbox";
import type { RunError, RunResult, RunStatus } from "@toolhost/contract";
import type { Caller } from "#core/access";
import { auditEvent } from "#core/audit";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import { findRunnableTool } from "#core/tools";
import type { RunnableTool } from "#core/tools";
import { newId } from "#lib/ids";
import type { Place } from "./admission.ts";
import { checkOutput } from "./check-output.ts";
import { executeRun } from "./execute-run.ts";
import { mapStack } from "./map-stack.ts";
import { packLogs } from "./run-log.ts";
import { endRun, insertRun } from "./run-store.ts";
import type { NewRun } from "./run-store.ts";
import { presentResult } from "./run.ts";
import type { RunOutcome } from "./run.ts";

type Request = {
  toolName: string;
  /** Any JSON: the tool's schema decides. */
  input: unknown;
  /** How long to wait for the end before answering `running`, in milliseconds. */
  waitMs: number;
};

/**
 * Runs a tool and answers with its end, or `running` when that takes longer than the wait. Once it
 * answers, the run is in the database and will have an end, whatever happens. Throws `tool_not_found`,
 * `invalid_input`, `credentials_missing`, `unavailable`.
 */
export async function runTool(
  context: Context,
  caller: Caller,
  { toolName, input, waitMs }: Request,
): Promise<RunResult> {
  const tool = await findRunnableTool(context, caller, toolName);
  const inputText = JSON.stringify(input);
  checkInput(tool, input, inputText.length);
  checkCredentials(context, tool);
  checkSandbox(context);
  const place = context.admission.enter(caller.workspaceId);
  const run = newRun(context, caller, tool, inputText, place);
  try {
    await insertRun(context.db, run);
  } catch (error) {
    place.leave();
    throw error;
  }
  const outcome = startWork(context, caller, tool, run, place);
  return presentResult(await withinWait(outcome, run, waitMs), context.config.baseUrl);
}

function checkInput(tool: RunnableTool, input: unknown, size: number): void {
  const errors = tool.validateInput(input, size);
  const [first] = errors;
  if (first === undefined) return;
  throw new ServiceError("invalid_input", `${first.path || "The input"} ${first.message}.`, {
    errors,
  });
}

/** Fails closed: while no credential can be stored, a tool that needs one cannot run. */
function checkCredentials(context: Context, tool: RunnableTool): void {
  const missing = tool.definition.credentials.map(({ name }) => ({
    name,
    connectUrl: `${context.config.baseUrl}/credentials?connect=${encodeURIComponent(name)}`,
  }));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(", ");
  throw new ServiceError(
    "credentials_missing",
    `The tool needs ${names}. Add it, then run again.`,
    {
      extra: { missing },
    },
  );
}

/** Fails closed: no sandbox, no run. */
function checkSandbox(context: Context): void {
  const status = context.sandbox.status();
  if (status.ready) return;
  throw new ServiceError("unavailable", `No tool can run: ${status.problem}. ${status.advice}`, {
    retryAfterSeconds: 30,
  });
}

function newRun(
  context: Context,
  caller: Caller,
  tool: RunnableTool,
  input: string,
  place: Place,
): NewRun {
  const now = context.clock.now();
  return {
    id: newId(),
    workspace_id: caller.workspaceId,
    tool_id: tool.id,
    tool_name: tool.name,
    tool_version: tool.version,
    user_id: caller.userId,
    status: "running",
    queued: place.queued === undefined ? 0 : 1,
    via: caller.via,
    actor: JSON.stringify(caller.actor),
    request_id: caller.requestId,
    ip: caller.ip,
    input,
    node_id: context.nodeId,
    created_at: now,
    started_at: place.queued === undefined ? now : null,
  };
}

/** Begins the work and registers it, so that it can be cancelled and waited for. */
function startWork(
  context: Context,
  caller: Caller,
  tool: RunnableTool,
  run: NewRun,
  place: Place,
): Promise<RunOutcome> {
  const abort = new AbortController();
  const outcome = executeRun(context, { tool, run, place, signal: abort.signal })
    .then((result) => settle(context, caller, tool, run, result))
    .finally(() => {
      place.leave();
      context.activeRuns.delete(run.id);
    });
  const ended = outcome.then(
    () => undefined,
    (error: unknown) =>
      context.log.error({ err: error, runId: run.id }, "a run's end was not written"),
  );
  const { workspaceId } = caller;
  context.activeRuns.set(run.id, { workspaceId, abort, ended, progress: undefined });
  return outcome;
}

/** Writes the end of a run and gives it back. */
async function settle(
  context: Context,
  caller: Caller,
  tool: RunnableTool,
  run: NewRun,
  result: ExecuteResult & { startedAt: number | null },
): Promise<RunOutcome> {
  const { status, output, error } = judgeSafely(context, tool, run, result);
  const now = context.clock.now();
  const progress = context.activeRuns.get(run.id)?.progress;
  const columns = {
    status,
    queued: 0,
    output,
    error: error === null ? null : JSON.stringify(error),
    progress: progress === undefined ? null : JSON.stringify(progress),
    started_at: result.startedAt,
    finished_at: now,
    duration_ms: result.durationMs,
    cpu_ms: result.cpuMs,
    logs_truncated: result.logsTruncated ? 1 : 0,
  };
  const event = auditEvent(now, caller, {
    action: "run.create",
    target: run.id,
    outcome: error?.code ?? (status === "completed" ? "success" : status),
    details: { toolName: run.tool_name, toolVersion: run.tool_version },
  });
  const logs = await packLogs(result.logs);
  const end = { runId: run.id, nodeId: context.nodeId, columns, event, logs };
  await insist(() => endRun(context.db, end));
  return { id: run.id, tool_name: run.tool_name, status, queued: 0, output, error: columns.error };
}

/** A run must end even when what its tool left behind is more than we can read. */
function judgeSafely(
  context: Context,
  tool: RunnableTool,
  run: NewRun,
  result: ExecuteResult,
): Judgement {
  try {
    return judge(tool, result);
  } catch (error) {
    context.log.warn({ err: error, runId: run.id }, "a run's result could not be read");
    const message = "The tool's output could not be read.";
    return { status: "failed", output: null, error: { code: "invalid_output", message } };
  }
}

type Judgement = { status: RunStatus; output: string | null; error: RunError | null };

/** What a result means for the run: a completed one still has to match the declared output. */
function judge(tool: RunnableTool, result: ExecuteResult): Judgement {
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
  const checked = checkOutput(JSON.parse(result.outputJson), tool.definition.outputSchema);
  if ("problem" in checked) {
    const error = { code: "invalid_output" as const, message: checked.problem };
    return { status: "failed", output: null, error };
  }
  return { status: "completed", output: JSON.stringify(checked.output), error: null };
}

/** The run's outcome if it comes within the wait, else what is known now. */
async function withinWait(
  outcome: Promise<RunOutcome>,
  run: NewRun,
  waitMs: number,
): Promise<RunOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<RunOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ ...run, output: null, error: null }), waitMs);
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}

const retryDelaysMs = [50, 200, 1_000, 3_000, 10_000];

/** Tries a write again while the database fails, since a run's end must not be lost to a hiccup. */
async function insist(write: () => Promise<unknown>): Promise<void> {
  for (const delay of retryDelaysMs) {
    try {
      await write();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  await write();
}
