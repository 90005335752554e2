import type { JsonObject, LogLine, Run, RunProgress, RunResult } from "./types.ts";
import type { RunState } from "@toolhost/ui";
import { api } from "#api/client";
import { ApiProblem, isPermanentError, isUnreachable, errorMessage } from "#api/problem";
import type { AnyRequest } from "#api/request";
import { readEvents } from "./events.ts";
import type { StreamEvent } from "./events.ts";

/** What is run: a tool, or a draft as it was saved last. */
export type RunTarget = { toolName: string } | { draftId: string };

export type RunRequest = {
  target: RunTarget;
  input: JsonObject;
  /** Ends the watching, never the run. */
  signal: AbortSignal;
  onState: (state: RunState) => void;
  /** Told once, when the run has a record. */
  onStart?: (runId: string) => void;
  /** Whether the person gave up on it before it had a record. */
  isCancelled?: () => boolean;
};

/** So long the answer is waited for before the run is watched; most have ended by then. */
const waitSeconds = 1;
const maxLines = 2_000;
/** A tool may say more in a second than anybody sees. */
const showEveryMs = 100;
const askDelaysMs = [400, 1_500, 3_000] as const;

/**
 * Runs a tool, or a draft, and tells of every step up to the end. While the service cannot be reached it is asked again, for
 * the same run. A refusal is a state like others; only an aborted `signal` is thrown.
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

/** Each time with the same key, so that the tool runs once, however often the connection was lost. */
async function submitRun(request: RunRequest): Promise<RunResult> {
  const { target, input, signal, onState, isCancelled } = request;
  const headers = { prefer: `wait=${waitSeconds}`, "idempotency-key": crypto.randomUUID() };
  for (let count = 0; ; count += 1) {
    try {
      const answer = await startRun(target, { body: input, headers, signal });
      return (await answer.json()) as RunResult;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ApiProblem && !isUnreachable(error) && error.code !== inFlight)
        throw error;
      if (isCancelled?.() === true) throw new Error(unknownWords, { cause: error });
      const note =
        "The service cannot be reached. It is asked again until it answers; the tool runs but once.";
      onState({ status: "running", note });
    }
    await pause(askDelaysMs[count] ?? 3_000);
  }
}

type StartRequest = Pick<AnyRequest, "headers" | "signal"> & { body: JsonObject };

function startRun(target: RunTarget, request: StartRequest): Promise<Response> {
  return "draftId" in target
    ? api.fetch("POST /drafts/{id}/run", { ...request, params: { id: target.draftId } })
    : api.fetch("POST /run/{toolName}", { ...request, params: target });
}

const unknownWords =
  "The service cannot be reached, so it is not known whether the tool began. Its runs will tell.";

/** The service is still at work on what was asked before the connection was lost. */
const inFlight = "idempotency_in_flight";

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Tells of a run that is under way, up to its end. When the connection is lost it goes on from where it was. */
export async function followRun(
  runId: string,
  signal: AbortSignal,
  onState: (state: RunState) => void,
  isQueued = false,
): Promise<void> {
  let lastEventId: string | undefined;
  let log: LogLine[] = [];
  let progress: RunProgress | undefined;
  let note: string | undefined;
  let isWaiting = isQueued;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    clearTimeout(timer);
    timer = undefined;
    onState({ status: "running", runId, isQueued: isWaiting, progress, log, note });
  };
  const take = ({ id, name, data }: StreamEvent) => {
    lastEventId = id ?? lastEventId;
    note = undefined;
    isWaiting = false;
    if (name === "log") log.push(data as LogLine);
    if (log.length > 2 * maxLines) log = log.slice(-maxLines);
    if (name === "progress") progress = data as RunProgress;
    isOver = name === "end";
    timer ??= setTimeout(show, showEveryMs);
  };
  show();
  try {
    for (;;) {
      try {
        for await (const event of readEvents(runId, signal, lastEventId)) {
          take(event);
          if (isOver) break;
        }
        const run = isOver
          ? await api.get("/runs/{runId}", { params: { runId }, signal })
          : undefined;
        if (run !== undefined) return onState(finalStateOf(run, log));
      } catch (error) {
        signal.throwIfAborted();
        if (isPermanentError(error)) throw error;
        note = "The connection is lost. The run goes on; trying to reach the service…";
        show();
      }
      await pause(1_000);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** How a run ended, as it is shown. */
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
      const { code, message = "The tool failed.", stack } = run.error ?? {};
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
  return { status: "refused", message: errorMessage(error), errors, isAboutTool };
}
