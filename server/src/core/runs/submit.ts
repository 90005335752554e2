import { setTimeout as sleep } from "node:timers/promises";
import type { ErrorDetail, RunResult } from "@toolhost/contract";
import { findToolToRun } from "#core/catalog";
import type { FoundCredentials } from "#core/vault";
import type { RunnableTool } from "#core/catalog";
import { checkInputFiles, inputFileIds, noteFileUse } from "#core/files";
import { isKeyReserved, KeyTakenError, ServiceError } from "#core/kernel";
import type { Caller, KeyedRequest } from "#core/kernel";
import { explainOutage } from "#db";
import { newId } from "#lib/ids";
import type { RunCaller } from "./active-runs.ts";
import type { RunsContext } from "./context.ts";
import { checkCredentials } from "./missing-credentials.ts";
import type { Load, Slot } from "./queue/admission.ts";
import { checkQueueLimits } from "./queue/queue-limits.ts";
import { noNode } from "./queue/queue-store.ts";
import { presentResult } from "./records/present-run.ts";
import { inputColumns, recordedInput } from "./recorded-input.ts";
import type { RecordedInput } from "./recorded-input.ts";
import { findRun, insertRun } from "./run-store.ts";
import type { NewRun, RunKey } from "./new-run.ts";
import { checkStorageQuota } from "./storage/storage-quota.ts";

type RunRequest = {
  toolName: string;
  /** The version of a draft, which runs instead of the tool of that name. */
  draft?: RunnableTool | undefined;
  /** Any JSON: the tool's input schema decides. */
  input: unknown;
  /** The Idempotency-Key, which is looked up together with the tool. */
  key?: KeyedRequest | undefined;
  /** The files that the input may name; any of the workspace when left out. */
  fileIds?: ReadonlySet<string>;
  /** The only workspace whose tools may run; any when left out. */
  toolWorkspaceId?: string | undefined;
  /** The parent run is private, which makes this run private. */
  isParentPrivate?: boolean;
};

/** A validated request. Nothing is written yet. */
export type ValidRun = {
  tool: RunnableTool;
  input: RecordedInput;
  /** Only the caller sees the run. */
  isPrivate: boolean;
  /** The credentials of the run, if the tool has any. */
  credentials?: FoundCredentials | undefined;
};

/**
 * Validates a request: finds the version of the tool that runs for the caller, and checks the input, its files and the
 * credentials. Also returns whether the request's Idempotency-Key has a record. Throws `tool_not_found`, `invalid_input`, `credentials_missing`, `quota_exceeded` when the workspace's stored runs
 * have reached their limit, and `unavailable` when the sandbox is not ready.
 */
export async function validateRun(
  context: RunsContext,
  caller: RunCaller,
  request: RunRequest,
): Promise<ValidRun & { isKeyTaken: boolean }> {
  const { input, fileIds, toolWorkspaceId, isParentPrivate = false } = request;
  const found = await findRequested(context, caller, request);
  const { tool, isKeyTaken } = found;
  const isPrivate = found.isPrivate || isParentPrivate;
  if (toolWorkspaceId !== undefined && tool.workspaceId !== toolWorkspaceId) {
    const message = "A tool installed from another workspace can only run tools of that workspace.";
    throw new ServiceError("forbidden", message);
  }
  await checkStorageQuota(context, caller.workspaceId);
  const { errors, ...checked } = await checkInput(context, caller, { tool, input, fileIds });
  throwIfInvalid(errors);
  const { redact, found: credentials } = await checkCredentials(context, caller, tool);
  checkSandbox(context);
  const ids = inputFileIds(tool.definition.fileFields, input);
  await noteFileUse(context, caller, { ids, isPrivate });
  const recorded = await recordedInput({ input, ...checked }, redact);
  return { tool, input: recorded, isPrivate, isKeyTaken, credentials };
}

async function findRequested(
  context: RunsContext,
  caller: RunCaller,
  { toolName, draft, key }: RunRequest,
): Promise<{ tool: RunnableTool; isPrivate: boolean; isKeyTaken: boolean }> {
  if (draft === undefined) return findToolToRun(context, caller, toolName, key);
  const isKeyTaken = key !== undefined && (await isKeyReserved(context.db, key));
  return { tool: draft, isPrivate: true, isKeyTaken };
}

type InputCheck = { tool: RunnableTool; input: unknown; fileIds?: ReadonlySet<string> | undefined };

/** Checks an input against the tool's schema, and that its files exist. */
export async function checkInput(
  context: RunsContext,
  caller: RunCaller,
  { tool, input, fileIds }: InputCheck,
): Promise<{ errors: readonly ErrorDetail[]; shown: unknown; whole: string }> {
  const whole = JSON.stringify(input);
  const { errors, shown } = await context.validation.checkInput(
    caller.workspaceId,
    tool.inputSchema,
    { value: input, text: whole },
  );
  if (errors.length > 0) return { errors, shown, whole };
  const { fileFields } = tool.definition;
  const wrongFiles = await checkInputFiles(context, caller, { fileFields, input, fileIds });
  return { errors: wrongFiles, shown, whole };
}

/** Throws `invalid_input` with these errors, if there are any. */
export function throwIfInvalid(errors: readonly ErrorDetail[]): void {
  const [first] = errors;
  if (first === undefined) return;
  const subject = first.path === "" ? "it" : `\`${first.path}\``;
  const message = `Invalid input: ${subject} ${first.message}.`;
  throw new ServiceError("invalid_input", message, { errors });
}

/** Fails closed: without a sandbox no run is accepted. Throws `unavailable`. */
export function checkSandbox({ sandbox }: RunsContext): void {
  const status = sandbox.status();
  if (status.ready) return;
  throw new ServiceError("unavailable", `No tool can run: ${status.problem}. ${status.advice}`, {
    retryAfterSeconds: 30,
  });
}

/** What executing a run needs and its validation has found. */
export function prepare({ tool, input, credentials }: ValidRun): Prepared {
  return { tool, input: input.whole, credentials };
}

/** What executing a run needs: loaded if the run comes from the queue. */
export type Prepared = {
  tool: RunnableTool;
  input: string;
  credentials?: FoundCredentials | undefined;
};

/** An admitted run. Without a slot it is queued. */
export type SubmittedRun = { run: NewRun; result: RunResult; slot: Slot | undefined };

type Submission = {
  key: RunKey | undefined;
  /** The response is sent before the run has ended. */
  isAsync: boolean;
  /** The run need not be in the database yet when it starts. */
  mayDelay: boolean;
  runningElsewhere: Load;
};

/**
 * Admits a run, with a slot to execute it immediately, or else writes it into the queue. A run with a slot is written as well,
 * unless `mayDelay`: then the caller executes it with a record that writes it later. Throws `unavailable` during shutdown,
 * `rate_limited` and `unavailable` if the queue is full, and as {@link createRun}.
 */
export async function submitRun(
  context: RunsContext,
  caller: Caller,
  valid: ValidRun,
  { key, isAsync, mayDelay, runningElsewhere }: Submission,
): Promise<SubmittedRun> {
  const { admission, queue } = context.runs;
  const { workspaceId } = caller;
  // A graceful shutdown waits for the slots that are taken now, so none may be taken later.
  if (context.cluster.isStopping) {
    throw new ServiceError("unavailable", "The service is stopping.", { retryAfterSeconds: 1 });
  }
  const slot = queue.mustQueue(workspaceId)
    ? undefined
    : admission.acquire(workspaceId, runningElsewhere);
  if (slot === undefined) await checkQueueLimits(context, caller);
  else if (mayDelay) {
    const run = newRun(context, caller, valid, { isQueued: false, key, parentRunId: null });
    return { run, result: resultOf(context, run), slot };
  }
  return createRun(context, caller, valid, { slot, key, isAsync });
}

function resultOf({ config }: RunsContext, run: NewRun): RunResult {
  return presentResult({ ...run, output: null, error: null }, config.baseUrl);
}

type Creation = {
  slot: Slot | undefined;
  key?: RunKey | undefined;
  isAsync?: boolean;
};

/**
 * Writes a run and its Idempotency-Key, and releases the slot if that fails. Throws `KeyTakenError`, and what the database throws
 * when the run was not written.
 */
async function createRun(
  context: RunsContext,
  caller: RunCaller,
  valid: ValidRun,
  { slot, key, isAsync = false }: Creation,
): Promise<SubmittedRun> {
  const options = { isQueued: slot === undefined, key, parentRunId: null };
  const run = newRun(context, caller, valid, options);
  const result = resultOf(context, run);
  const response = isAsync ? JSON.stringify(result) : undefined;
  let isWritten = false;
  try {
    isWritten = await writeRun(context, run, { key, response });
  } finally {
    if (!isWritten) slot?.release();
  }
  if (!isWritten) throw new KeyTakenError();
  return { run, result, slot };
}

type Response = { key?: RunKey | undefined; response?: string | undefined };

/** Inserts a run; false if its Idempotency-Key is taken. Throws what the database throws if it was not written. */
export async function writeRun(
  context: RunsContext,
  run: NewRun,
  { key, response }: Response = {},
): Promise<boolean> {
  try {
    return await insertRun(context.db, run, key, response);
  } catch (error) {
    if (explainOutage(error) === undefined || !(await wasWritten(context, run))) throw error;
    return true;
  }
}

type RowOptions = { isQueued: boolean; key: RunKey | undefined; parentRunId: string | null };

/** The row of a run before it is written. */
export function newRun(
  context: RunsContext,
  caller: RunCaller,
  { tool, input, isPrivate }: ValidRun,
  { isQueued, key, parentRunId }: RowOptions,
): NewRun {
  const id = newId();
  const now = context.clock.now();
  return {
    id,
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
    ...inputColumns(context, id, input),
    node_id: isQueued ? noNode : context.nodeId,
    created_at: now,
    started_at: isQueued ? null : now,
    idempotency_id: key?.request.recordId ?? null,
    attempt: 1,
    parent_run_id: parentRunId,
    draft_id: tool.draft === undefined ? null : tool.id,
    trace_context: context.tracing.carry(),
    is_private: isPrivate ? 1 : 0,
  };
}

const maxChecks = 6;
const firstPauseMs = 100;

/**
 * Whether a run was written although the statement failed: a connection may break after the commit. Without this check
 * the run would occupy its key and never execute. False if the database does not recover within a few seconds.
 */
async function wasWritten(context: RunsContext, run: NewRun): Promise<boolean> {
  for (let check = 0; check < maxChecks; check++) {
    await sleep(firstPauseMs * 2 ** check);
    try {
      const row = await findRun(context.db, { workspaceId: run.workspace_id }, run.id);
      return row?.status === "running" && row.attempt === 1;
    } catch (error) {
      context.log.debug({ err: error, runId: run.id }, "could not check whether a run was written");
    }
  }
  return false;
}
