import type { JsonObject, LogLine, Run, RunProgress, RunResult } from "./types.ts";
import type { RunState } from "@toolhost/ui";
import { get, send } from "#api/client";
import { ApiProblem, isFinal, wordsOf } from "#api/problem";
import { readEvents } from "./events.ts";

export type RunRequest = {
  /** `/run/NAME`, or a draft's own address. */
  path: string;
  input: JsonObject;
  /** Ends the watching, never the run. */
  signal: AbortSignal;
  onState: (state: RunState) => void;
  /** Told once, when the run has a record. */
  onStart?: (runId: string) => void;
};

/** So long the answer is waited for before the run is watched; most have ended by then. */
const waitSeconds = 1;
const mostLines = 2_000;

/**
 * Runs a tool, or a draft, and tells of every step up to the end. A refusal is a state like others; only an aborted
 * `signal` is thrown.
 */
export async function runTool({
  path,
  input,
  signal,
  onState,
  onStart,
}: RunRequest): Promise<void> {
  onState({ status: "running" });
  try {
    const headers = { prefer: `wait=${waitSeconds}` };
    const result = await send<RunResult>("POST", path, { body: input, headers, signal });
    onStart?.(result.runId);
    if (result.status !== "running") onState(endOf(result));
    else await followRun(result.runId, signal, onState, result.queued);
  } catch (error) {
    signal.throwIfAborted();
    onState(refusalOf(error));
  }
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
  const show = () =>
    onState({ status: "running", runId, isQueued: isWaiting, progress, log, note });
  show();
  for (;;) {
    try {
      for await (const event of readEvents(`/runs/${runId}/logs`, signal, lastEventId)) {
        lastEventId = event.id ?? lastEventId;
        note = undefined;
        isWaiting = false;
        if (event.name === "log") log = [...log, event.data as LogLine].slice(-mostLines);
        if (event.name === "progress") progress = event.data as RunProgress;
        if (event.name === "end") {
          onState(endOf(await get<Run>(`/runs/${runId}`, { signal }), log));
          return;
        }
        show();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (isFinal(error)) throw error;
      note = "The connection is lost. The run goes on; trying to reach the service…";
      show();
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** How a run ended, as it is shown. */
export function endOf(run: RunResult | Run, log: readonly LogLine[] = []): RunState {
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

function refusalOf(error: unknown): RunState {
  if (error instanceof ApiProblem && error.missing.length > 0) {
    return { status: "missing", missing: error.missing, message: error.message };
  }
  const errors = error instanceof ApiProblem ? error.errors : [];
  const isAboutTool = error instanceof ApiProblem && error.code === "invalid_tool";
  return { status: "refused", message: wordsOf(error), errors, isAboutTool };
}
