import type { ExecuteResult, Progress } from "@toolhost/sandbox";
import type { Context } from "#core/context";
import type { RunnableTool } from "#core/tools";
import type { Place } from "./admission.ts";
import { setProgress, startRun } from "./run-store.ts";
import type { NewRun } from "./run-store.ts";

type Work = { tool: RunnableTool; run: NewRun; place: Place; signal: AbortSignal };

/** How a run ended in the sandbox; `startedAt` is null when it never got there. */
export type Execution = ExecuteResult & { startedAt: number | null };

const progressIntervalMs = 1_000;
const unused = {
  logs: [],
  logsTruncated: false,
  cpuMs: 0,
  durationMs: 0,
  waitMs: 0,
  reused: false,
};

/** Waits for the run's place and runs the tool in the sandbox. Never rejects for what the tool does. */
export async function executeRun(context: Context, work: Work): Promise<Execution> {
  const { run, place, signal } = work;
  let startedAt = run.started_at;
  if (place.queued !== undefined) {
    const isFirst = await Promise.race([place.queued.then(() => true), aborted(signal)]);
    if (!isFirst) return endedBeforeStart(signal);
    startedAt = context.clock.now();
    await startRun(context.db, run.id, startedAt);
  }
  const report = reportProgress(context, run.id);
  try {
    const result = await callSandbox(context, work, report.onProgress);
    const isInterrupted = result.status === "cancelled" && signal.reason === interruption;
    return { ...(isInterrupted ? { ...result, ...interrupted } : result), startedAt };
  } catch (error) {
    context.log.warn({ err: error, runId: run.id }, "the sandbox could not run a tool");
    const code = signal.aborted ? "interrupted" : "sandbox_lost";
    const message = "The sandbox was not available. Run the tool again.";
    return { status: "failed", error: { code, message }, ...unused, startedAt };
  } finally {
    report.stop();
  }
}

function callSandbox(
  context: Context,
  { tool, run, signal }: Work,
  onProgress: (progress: Progress) => void,
): Promise<ExecuteResult> {
  const { config } = context;
  return context.sandbox.execute({
    runId: run.id,
    workspaceId: run.workspace_id,
    // Globals live on in a reused isolate: never across versions or users.
    reuseKey: `${tool.id}:${tool.version}:${run.user_id}`,
    code: tool.bundle,
    inputJson: run.input,
    isolation: tool.definition.isolation,
    limits: {
      wallMs: Math.min(tool.definition.timeoutMs, config.RUN_MAX_WALL_MS),
      cpuMs: config.RUN_MAX_CPU_MS,
      memoryBytes: config.RUN_MAX_MEMORY_MB * 1024 * 1024,
      outputBytes: config.RUN_MAX_OUTPUT_BYTES,
      logBytes: config.RUN_MAX_LOG_BYTES,
    },
    credentials: {},
    signal,
    onProgress,
  });
}

/** Keeps the run's latest progress at hand, and in the database about once a second. */
function reportProgress(context: Context, runId: string) {
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    timer = undefined;
    const progress = context.activeRuns.get(runId)?.progress;
    if (progress === undefined) return;
    setProgress(context.db, runId, JSON.stringify(progress)).catch((error: unknown) => {
      context.log.warn({ err: error, runId }, "a run's progress was not written");
    });
  };
  return {
    onProgress: (progress: Progress) => {
      const active = context.activeRuns.get(runId);
      if (active === undefined) return;
      active.progress = progress;
      timer ??= setTimeout(write, progressIntervalMs);
    },
    stop: () => clearTimeout(timer),
  };
}

function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener("abort", () => resolve(false), { once: true });
  });
}

/** A run that was waiting ends as cancelled, or as interrupted when the service stops. */
function endedBeforeStart(signal: AbortSignal): Execution {
  if (signal.reason !== interruption) return { status: "cancelled", ...unused, startedAt: null };
  return { ...interrupted, ...unused, startedAt: null };
}

const interrupted = {
  status: "failed",
  error: {
    code: "interrupted",
    message: "The service stopped before the run ended. Run it again.",
  },
} as const;

/** The reason with which a stopping service aborts runs, to tell it from a cancel. */
export const interruption = Symbol("interruption");
