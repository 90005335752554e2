import type { ErrorDetail, RunResult } from "@toolhost/contract";
import type { Caller } from "#core/access";
import type { Context } from "#core/context";
import { findMissingCredentials } from "#core/credentials";
import { ServiceError } from "#core/errors";
import { checkInputFiles } from "#core/files";
import { takeRun } from "#core/limits";
import type { LimitState } from "#core/limits";
import { findRunnableTool } from "#core/tools";
import type { RunnableTool } from "#core/tools";
import { newId } from "#lib/ids";
import type { Place } from "./admission.ts";
import { beginRun } from "./begin-run.ts";
import type { NewRun, RunKey } from "./begin-store.ts";
import { checkQueueRoom } from "./queue-room.ts";
import { countBusyElsewhere, noNode } from "./queue-store.ts";
import { sendSignal } from "./run-signals.ts";
import { presentResult } from "./run.ts";
import { startRun } from "./start-run.ts";
import { waitForQueuedRun, waitForRun } from "./wait-for-run.ts";

type Request = {
  toolName: string;
  /** Any JSON: the tool's schema decides. */
  input: unknown;
  /** How long to wait for the end before answering `running`, in milliseconds. */
  waitMs: number;
  /** What makes the run happen once, however often it is asked for. */
  key?: RunKey | undefined;
  /** Told where the caller stands with the limits on runs. */
  noteLimits?: (state: LimitState) => void;
};

/**
 * Runs a tool and answers with its end, or `running` when that takes longer than the wait. Once it
 * answers, the run is in the database and will have an end, whatever happens. Throws `tool_not_found`,
 * `invalid_input`, `credentials_missing`, `unavailable`, `rate_limited`, `quota_exceeded`, and `KeyTakenError`.
 */
export async function runTool(
  context: Context,
  caller: Caller,
  { toolName, input, waitMs, key, noteLimits }: Request,
): Promise<RunResult> {
  const [tool, busyElsewhere] = await Promise.all([
    findRunnableTool(context, caller, toolName),
    context.cluster.size < 2
      ? 0
      : countBusyElsewhere(context.db, context.nodeId, caller.workspaceId),
  ]);
  const inputText = JSON.stringify(input);
  refuseIfWrong(tool.validateInput(input, inputText.length));
  refuseIfWrong(await checkInputFiles(context, caller, tool.definition.fileFields, input));
  await checkCredentials(context, caller, tool);
  checkReady(context);
  const points = await takeRun(context, caller);
  noteLimits?.(points.state);
  let begun: Begun;
  try {
    begun = await begin(context, caller, { tool, input: inputText, waitMs, key, busyElsewhere });
  } catch (error) {
    // What begins nothing, such as a request that was answered before, is no run.
    points.giveBack();
    throw error;
  }
  const { run, result, place } = begun;
  const wait = { run, result, waitMs, recordId: run.idempotency_id };
  if (place !== undefined) return waitForRun(context, wait, startRun(context, tool, run, place));
  const queued = waitForQueuedRun(context, wait);
  context.queue.note(caller.workspaceId);
  context.queue.kick();
  sendSignal(context, { kind: "queued" });
  return queued;
}

type Beginning = {
  tool: RunnableTool;
  input: string;
  waitMs: number;
  key: RunKey | undefined;
  busyElsewhere: number;
};

/** `place` is undefined for a run that waits in the queue. */
type Begun = { run: NewRun; result: RunResult; place: Place | undefined };

/** Writes the run, with a place to start at once or into the queue. */
async function begin(
  context: Context,
  caller: Caller,
  { tool, input, waitMs, key, busyElsewhere }: Beginning,
): Promise<Begun> {
  const { workspaceId } = caller;
  const place = context.queue.mustWait(workspaceId)
    ? undefined
    : context.admission.enter(workspaceId, busyElsewhere);
  if (place === undefined) await checkQueueRoom(context, caller);
  const run = newRun(context, caller, tool, input, { isQueued: place === undefined, key });
  const result = presentResult({ ...run, output: null, error: null }, context.config.baseUrl);
  const answer = waitMs === 0 ? JSON.stringify(result) : undefined;
  await beginRun(context, { run, key, answer, place });
  return { run, result, place };
}

function refuseIfWrong(errors: readonly ErrorDetail[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new ServiceError("invalid_input", `${first.path || "The input"} ${first.message}.`, {
    errors,
  });
}

/** Checked before there is a run, so that whoever asks can add them and ask again. */
async function checkCredentials(
  context: Context,
  caller: Caller,
  { definition }: RunnableTool,
): Promise<void> {
  const names = await findMissingCredentials(context, caller, definition.credentials);
  if (names.length === 0) return;
  const missing = names.map((name) => ({
    name,
    connectUrl: `${context.config.baseUrl}/credentials?connect=${encodeURIComponent(name)}`,
  }));
  throw new ServiceError(
    "credentials_missing",
    `The tool needs ${names.join(", ")}. Add it, then run again.`,
    { extra: { missing } },
  );
}

/** Fails closed: no sandbox, no run. */
function checkReady(context: Context): void {
  if (context.cluster.isStopping) {
    throw new ServiceError("unavailable", "The service is stopping.", { retryAfterSeconds: 1 });
  }
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
  { isQueued, key }: { isQueued: boolean; key: RunKey | undefined },
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
    queued: isQueued ? 1 : 0,
    via: caller.via,
    actor: JSON.stringify(caller.actor),
    request_id: caller.requestId,
    ip: caller.ip,
    input,
    node_id: isQueued ? noNode : context.nodeId,
    created_at: now,
    started_at: isQueued ? null : now,
    idempotency_id: key?.request.recordId ?? null,
    attempt: 1,
    parent_run_id: null,
  };
}
