import { SandboxUnavailableError } from "@toolhost/sandbox";
import type { ExecuteRequest, ExecuteResult, InternalService } from "@toolhost/sandbox";
import { findRunnableVersion, requestCheck } from "#core/catalog";
import type { RunnableTool } from "#core/catalog";
import { inputFileIds, serveRunFiles } from "#core/files";
import { KeyTakenError, ServiceError } from "#core/kernel";
import { openCredentials } from "#core/vault";
import type { FoundCredentials, RunCredentials } from "#core/vault";
import { callerOfRun, notifyWatchers, shutdown } from "./active-runs.ts";
import type { ActiveRun, ExecutableRun, RunCaller } from "./active-runs.ts";
import { serveBridge } from "./bridges/serve-bridge.ts";
import {
  errorResponse,
  openCall,
  readChildRequest,
  resultResponse,
} from "./children/child-calls.ts";
import { inheritPrivacy, submitChild } from "./children/submit-child.ts";
import type { RunsContext } from "./context.ts";
import { finalizeRun } from "./finalize.ts";
import { streamEvents } from "./live/run-log.ts";
import { describeMissing } from "./missing-credentials.ts";
import type { Slot } from "./queue/admission.ts";
import { presentResult } from "./records/present-run.ts";
import type { RunOutcome } from "./records/present-run.ts";
import { wholeInput } from "./recorded-input.ts";
import { broadcast } from "./relay/node-messages.ts";
import { returnToQueue } from "./recovery/return-to-queue.ts";
import { redactResult } from "./results/redact-result.ts";
import { serveQuestions } from "./questions/ask-user.ts";
import { sandboxRequest } from "./sandbox-request.ts";
import { startUnwritten } from "./start-unwritten.ts";
import type { Prepared } from "./submit.ts";
import { traceRun, traceSandbox } from "./trace-run.ts";

type Execution = {
  run: ExecutableRun;
  active: ActiveRun;
  slot: Slot;
  /** What the submission has in memory; loaded when the run comes from the queue. */
  prepared?: Prepared;
};

/**
 * Executes a run that was just admitted or claimed from the queue, writes its end, and returns that end. Until then the run can
 * be cancelled, watched and waited for.
 */
export function executeRun(
  context: RunsContext,
  { run, active, slot, prepared }: Execution,
): Promise<RunOutcome> {
  const { activeRuns, completions } = context.runs;
  activeRuns.set(run.id, active);
  active.slot = slot;
  const isQueued = prepared === undefined;
  // A later attempt has also waited for the first one.
  if (run.attempt === 1) {
    context.meter.runStarted(isQueued ? Math.max(0, context.clock.now() - run.created_at) : 0);
  }
  const outcome = traceRun(context, run, active, {
    isQueued,
    work: () => runToEnd(context, run, active, prepared),
  }).finally(() => {
    slot.release();
    // A run that was queued again may execute here as its next attempt by now.
    if (activeRuns.get(run.id) === active) activeRuns.delete(run.id);
    notifyWatchers(active);
    completions.notify(run.id);
    if (active.hasRemoteWaiters) broadcast(context, { kind: "ended", runId: run.id });
  });
  active.ended = outcome.then(
    () => undefined,
    (error: unknown) => {
      // Another request with the same key was written first, or the user was removed before the run was written.
      if (error instanceof KeyTakenError || error instanceof ServiceError) return;
      context.log.error({ err: error, runId: run.id }, "could not write the end of a run");
    },
  );
  return outcome;
}

async function runToEnd(
  context: RunsContext,
  run: ExecutableRun,
  active: ActiveRun,
  prepared: Prepared | undefined,
): Promise<RunOutcome> {
  const ready = prepared ?? (await loadRun(context, run));
  const { tool } = ready;
  const result = await executeTool(context, run, active, ready);
  if (result === "not started") {
    await active.record.ensure();
    return returnToQueue(context, run);
  }
  return finalizeRun(context, tool, run, active, result);
}

async function loadRun(context: RunsContext, run: ExecutableRun): Promise<Prepared> {
  const tool = await findRunnableVersion(context, {
    id: run.tool_id,
    name: run.tool_name,
    version: run.tool_version,
    isDraft: run.draft_id !== null,
  });
  return { tool, input: wholeInput(context, run) };
}

const noUsage = {
  logs: [],
  logsTruncated: false,
  cpuMs: 0,
  durationMs: 0,
  waitMs: 0,
  reused: false,
  egress: [],
  secretUse: [],
};

/**
 * Executes the tool in the sandbox, unless no process can be started for a run that may wait until one can. Never rejects for what
 * the tool does. Its child runs have ended when this resolves.
 */
async function executeTool(
  context: RunsContext,
  run: ExecutableRun,
  active: ActiveRun,
  { tool, input, credentials: found }: Prepared,
): Promise<ExecuteResult | "not started"> {
  const { signal } = active.abort;
  const credentials = await openRunCredentials(context, run, tool, found);
  if (typeof credentials === "string") {
    return { status: "failed", error: { code: "tool_error", message: credentials }, ...noUsage };
  }
  active.credentials = credentials.held;
  active.redact = credentials.redact;
  active.toolWorkspaceId = tool.workspaceId;
  const events = streamEvents(context, active, credentials);
  context.log.debug({ runId: run.id, attempt: run.attempt }, "executing a run");
  try {
    const request = sandboxRequest(context, { tool, input }, active, credentials);
    const raw = await traceSandbox(context, active, (onStart) =>
      context.sandbox.execute({
        ...request,
        runId: run.id,
        // Globals survive in a reused isolate, so it is never shared across versions, users or credentials.
        reuseKey: `${tool.id}:${tool.version}:${run.user_id}:${credentials.tag}`,
        services: internalServices(context, { tool, input }, run, active),
        onStart: () => {
          active.deadline = performance.now() + request.limits.wallMs;
          onStart();
        },
        beforeRequest: () => active.record.ensure(),
        onProgress: events.onProgress,
        onLog: events.onLog,
      }),
    );
    const result =
      credentials.held.length === 0 ? raw : await redactResult(raw, credentials.redact);
    const isInterrupted = result.status === "cancelled" && signal.reason === shutdown;
    return isInterrupted ? { ...result, ...interrupted } : result;
  } catch (error) {
    if (error instanceof SandboxUnavailableError && mayWait(run, signal)) return "not started";
    context.log.warn({ err: error, runId: run.id }, "the sandbox could not execute a run");
    const code = signal.aborted ? "interrupted" : "sandbox_lost";
    const message = "The sandbox was not available. Run the tool again.";
    return { status: "failed", error: { code, message }, ...noUsage };
  } finally {
    await endChildRuns(active);
    await events.stop();
  }
}

/** A child run holds the process of its parent, and a shutdown ends the runs of this node. */
function mayWait(run: ExecutableRun, signal: AbortSignal): boolean {
  return run.parent_run_id === null && !signal.aborted;
}

const interrupted = {
  status: "failed",
  error: {
    code: "interrupted",
    message: "The service stopped before the run finished. Run the tool again.",
  },
} as const;

/** A run's credentials, or why it cannot have them. */
async function openRunCredentials(
  context: RunsContext,
  run: ExecutableRun,
  tool: RunnableTool,
  found: FoundCredentials | undefined,
): Promise<RunCredentials | string> {
  const viewer = { workspaceId: run.workspace_id, userId: run.user_id };
  try {
    const opened = await openCredentials(context, viewer, tool, found);
    return "missing" in opened ? describeMissing(tool, opened.missing) : opened;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    context.log.error({ err: error, runId: run.id }, "could not decrypt a credential");
    return `A credential of ${tool.name} could not be decrypted. Contact the operator of this server.`;
  }
}

/** The hosts that the service itself answers for a run's tool: its files, questions, runs of other tools, and its import. */
function internalServices(
  context: RunsContext,
  { tool, input }: Prepared,
  run: ExecutableRun,
  active: ActiveRun,
): NonNullable<ExecuteRequest["services"]> {
  const { fileFields } = tool.definition;
  if (fileFields.length > 0) {
    for (const id of inputFileIds(fileFields, JSON.parse(input))) active.fileIds.add(id);
  }
  const caller = callerOfRun(run);
  const files = serveRunFiles(context, {
    runId: run.id,
    maker: caller,
    fileIds: active.fileIds,
    // A file that a run saved can be opened by the run and by its ancestors.
    noteSaved: (fileId) => {
      for (let each: ActiveRun | undefined = active; each !== undefined; each = each.parent) {
        each.fileIds.add(fileId);
      }
    },
  });
  // These requests arrive on connections that were opened for any run.
  const within =
    (service: InternalService): InternalService =>
    (request, signal) =>
      context.tracing.within(active.span, () => service(request, signal));
  return {
    "files.internal": within(files),
    "questions.internal": within(serveQuestions(context, run, active)),
    ...(context.config.RUN_CHILD_DEPTH > 0 && {
      "tools.internal": within(serveChildRuns(context, active, caller)),
    }),
    // Drafts get the reason why they cannot reach a bridge.
    ...((tool.itemHash !== null || run.draft_id !== null) && {
      "bridge.internal": within(serveBridge(context, tool, run)),
    }),
    ...(tool.itemHash !== null && {
      "imports.internal": within(serveCheckRequest(context, tool)),
    }),
  };
}

/** Handles the request of an imported tool to check its import soon. Further ones of the same run do nothing. */
function serveCheckRequest({ db, clock }: RunsContext, tool: RunnableTool): InternalService {
  let isRequested = false;
  return async () => {
    if (!isRequested) {
      isRequested = true;
      await requestCheck(db, tool, clock.now());
    }
    return new Response(null, { status: 204 });
  };
}

/**
 * Handles `POST /:toolName` of `ctx.tools.run`: runs a tool as a child and responds with its output, or with the `code`
 * and `message` of its error. The child is cancelled if the request is aborted or the parent ends.
 */
function serveChildRuns(
  context: RunsContext,
  parent: ActiveRun,
  caller: RunCaller,
): InternalService {
  return async (request, signal) => {
    let call: ReturnType<typeof openCall> | undefined;
    try {
      call = openCall(parent, signal);
      const { abort } = call;
      const { toolName, input } = await readChildRequest(context, parent, request);
      const child = await submitChild(context, { parent, caller, abort, toolName, input });
      const active = startUnwritten(context, { run: child.run, parent, abort });
      const outcome = await executeRun(context, { ...child, active }).catch((error: unknown) => {
        child.refund();
        throw error;
      });
      await inheritPrivacy(context, parent, outcome);
      return resultResponse(presentResult(outcome, context.config.baseUrl));
    } catch (error) {
      return errorResponse(context, parent.id, error);
    } finally {
      call?.close();
    }
  };
}

/** Cancels the child runs of a run; resolves when their ends are written. */
async function endChildRuns(parent: ActiveRun): Promise<void> {
  parent.isOver = true;
  for (const { abort } of parent.calls) abort.abort();
  await Promise.all([...parent.calls].map(({ ended }) => ended));
}
