import type { JsonObject, LogLine, Run, RunProgress, RunResult } from "./types.ts";
import type { RunQuestion, RunState } from "@toolhost/ui";
import { api } from "#api/client";
import { ApiProblem, isPermanentError, isUnreachable, errorMessage } from "#api/problem";
import type { AnyRequest } from "#api/request";
import { readEvents } from "./events.ts";
import type { StreamEvent } from "./events.ts";
import { messages } from "./messages.ts";

/** What to run: a tool, or the last saved state of a draft. */
export type RunTarget = { toolName: string } | { draftId: string };

export type RunRequest = {
  target: RunTarget;
  input: JsonObject;
  /** Stops following the run; does not cancel it. */
  signal: AbortSignal;
  onState: (state: RunState) => void;
  /** Called once, when the run has a record. */
  onStart?: (runId: string) => void;
  /** Whether the user cancelled the run before it had a record. */
  isCancelled?: () => boolean;
};

/** How long the first request waits for the result; most runs finish within that time. */
const waitSeconds = 1;
const maxLines = 2_000;
/** Limits how often the display updates. */
const showEveryMs = 100;
const retryDelaysMs = [400, 1_500, 3_000] as const;

/**
 * Runs a tool or a draft and reports each state until the end. Retries while the service is unreachable, without starting a second
 * run. An error is reported as a state; throws only when `signal` is aborted.
 */
export async function runTool(request: RunRequest): Promise<void> {
  const { signal, onState, onStart } = request;
  onState({ status: "running" });
  try {
    const result = await submitRun(request);
    onStart?.(result.runId);
    if (result.status !== "running") onState(finalStateOf(result));
    else await followRun(result.runId, signal, onState, result.queued);
  } catch (error) {
    signal.throwIfAborted();
    onState(errorState(error));
  }
}

/** Retries with the same idempotency key, so that the tool runs once however often the connection is lost. */
async function submitRun(request: RunRequest): Promise<RunResult> {
  const { target, input, signal, onState, isCancelled } = request;
  const headers = { prefer: `wait=${waitSeconds}`, "idempotency-key": crypto.randomUUID() };
  for (let count = 0; ; count += 1) {
    try {
      const response = await startRun(target, { body: input, headers, signal });
      return (await response.json()) as RunResult;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ApiProblem && !isUnreachable(error) && error.code !== inFlight)
        throw error;
      if (isCancelled?.() === true) throw new Error(messages.startUnknown, { cause: error });
      onState({ status: "running", note: messages.startRetrying });
    }
    await pause(retryDelaysMs[count] ?? 3_000);
  }
}

type StartRequest = Pick<AnyRequest, "headers" | "signal"> & { body: JsonObject };

function startRun(target: RunTarget, request: StartRequest): Promise<Response> {
  return "draftId" in target
    ? api.fetch("POST /drafts/{id}/run", { ...request, params: { id: target.draftId } })
    : api.fetch("POST /run/{toolName}", { ...request, params: target });
}

/** The code of the error while the first request with the same key is still in progress. */
const inFlight = "idempotency_in_flight";

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Follows a run until its end and reports its states. Resumes after a lost connection. */
export async function followRun(
  runId: string,
  signal: AbortSignal,
  onState: (state: RunState) => void,
  isQueued = false,
): Promise<void> {
  let lastEventId: string | undefined;
  let log: LogLine[] = [];
  let progress: RunProgress | undefined;
  let question: RunQuestion | undefined;
  let note: string | undefined;
  let isStillQueued = isQueued;
  let hasEnded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    clearTimeout(timer);
    timer = undefined;
    onState({ status: "running", runId, isQueued: isStillQueued, progress, question, log, note });
  };
  const handleEvent = ({ id, name, data }: StreamEvent) => {
    lastEventId = id ?? lastEventId;
    note = undefined;
    isStillQueued = false;
    if (name === "log") log.push(data as LogLine);
    if (log.length > 2 * maxLines) log = log.slice(-maxLines);
    if (name === "progress") progress = data as RunProgress;
    if (name === "question") question = (data as RunQuestion | null) ?? undefined;
    hasEnded = name === "end";
    timer ??= setTimeout(show, showEveryMs);
  };
  show();
  try {
    for (;;) {
      try {
        // A stream starts with the question that is open.
        question = undefined;
        for await (const event of readEvents(runId, signal, lastEventId)) {
          handleEvent(event);
          if (hasEnded) break;
        }
        const run = hasEnded
          ? await api.get("/runs/{runId}", { params: { runId }, signal })
          : undefined;
        if (run !== undefined) return onState(finalStateOf(run, log));
      } catch (error) {
        signal.throwIfAborted();
        if (isPermanentError(error)) throw error;
        note = messages.connectionLost;
        show();
      }
      await pause(1_000);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Converts a run to the state that is shown. */
export function finalStateOf(run: RunResult | Run, log: readonly LogLine[] = []): RunState {
  const { runId } = run;
  const durationMs = "durationMs" in run ? (run.durationMs ?? undefined) : undefined;
  switch (run.status) {
    case "running":
      return { status: "running", runId, isQueued: run.queued, log };
    case "completed":
      return { status: "completed", output: run.output ?? {}, runId, durationMs };
    case "cancelled":
      return { status: "cancelled", runId };
    case "failed": {
      const { code, message = messages.failed, stack } = run.error ?? {};
      return { status: "failed", code, message, stack, log, runId, durationMs };
    }
  }
}

function errorState(error: unknown): RunState {
  if (error instanceof ApiProblem && error.missing.length > 0) {
    return { status: "missing", missing: error.missing, message: error.message };
  }
  const errors = error instanceof ApiProblem ? error.errors : [];
  const isAboutTool = error instanceof ApiProblem && error.code === "invalid_tool";
  const reviewUrl = error instanceof ApiProblem ? error.reviewUrl : undefined;
  return { status: "refused", message: errorMessage(error), errors, reviewUrl, isAboutTool };
}
