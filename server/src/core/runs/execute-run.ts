import type { ExecuteRequest, ExecuteResult, LogEntry, Progress } from "@toolhost/sandbox";
import type { RunsContext } from "./context.ts";
import { openCredentials } from "#core/vault";
import type { RunCredentials } from "#core/vault";
import { ServiceError } from "#core/kernel";
import type { RunnableTool } from "#core/catalog";
import type { RunTable } from "#db";
import { describeMissing } from "./missing-credentials.ts";
import { tellWatchers } from "./active-runs.ts";
import type { ActiveRun, StartRun } from "./active-runs.ts";
import { redactResult } from "./redact-result.ts";
import { packLogs } from "./run-log.ts";
import { servicesOf } from "./run-services.ts";
import { insertLogChunk, setProgress } from "./run-store.ts";
import { endChildren } from "./serve-run-tools.ts";

/** The columns that working on a run needs, whether it just began or came out of the queue. */
export type WorkableRun = Pick<
  RunTable,
  | "id"
  | "workspace_id"
  | "tool_id"
  | "tool_name"
  | "tool_version"
  | "user_id"
  | "via"
  | "actor"
  | "request_id"
  | "ip"
  | "input"
  | "node_id"
  | "started_at"
  | "idempotency_id"
  | "attempt"
  | "parent_run_id"
  | "draft_id"
  | "is_private"
>;

const storeIntervalMs = 1_000;
const unused = {
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
 * Runs the tool in the sandbox. Never rejects for what the tool does. What the tool had run in turn, by `start`,
 * has ended when it resolves.
 */
export async function executeRun(
  context: RunsContext,
  tool: RunnableTool,
  run: WorkableRun,
  active: ActiveRun,
  start: StartRun,
): Promise<ExecuteResult> {
  const viewer = { workspaceId: run.workspace_id, userId: run.user_id };
  const { signal } = active.abort;
  const credentials = await openSafely(context, viewer, tool);
  if (typeof credentials === "string") {
    return { status: "failed", error: { code: "tool_error", message: credentials }, ...unused };
  }
  active.credentials = credentials.held;
  active.redact = credentials.redact;
  active.toolHome = tool.workspaceId;
  const report = reportNews(context, run.id, active);
  context.log.debug({ runId: run.id, attempt: run.attempt }, "a run's code starts");
  try {
    const services = servicesOf(context, tool, run, { active, start });
    const request = sandboxRequest(context, tool, run, active, {
      credentials,
      services,
      ...report,
    });
    const raw = await context.sandbox.execute(request);
    const result =
      credentials.held.length === 0 ? raw : await redactResult(raw, credentials.redact);
    const isInterrupted = result.status === "cancelled" && signal.reason === interruption;
    return isInterrupted ? { ...result, ...interrupted } : result;
  } catch (error) {
    context.log.warn({ err: error, runId: run.id }, "the sandbox could not run a tool");
    const code = signal.aborted ? "interrupted" : "sandbox_lost";
    const message = "The sandbox was not available. Run the tool again.";
    return { status: "failed", error: { code, message }, ...unused };
  } finally {
    await endChildren(active);
    await report.stop();
  }
}

/** A run's credentials, or why it cannot have them. */
async function openSafely(
  context: RunsContext,
  viewer: { workspaceId: string; userId: string },
  tool: RunnableTool,
): Promise<RunCredentials | string> {
  try {
    const opened = await openCredentials(context, viewer, tool);
    return "missing" in opened ? describeMissing(tool, opened.missing) : opened;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    context.log.error({ err: error }, "a credential could not be opened");
    return "A credential of the tool could not be opened. Ask the operator of this server.";
  }
}

type Given = {
  credentials: RunCredentials;
  services: NonNullable<ExecuteRequest["services"]>;
  news: () => void;
};

function sandboxRequest(
  context: RunsContext,
  tool: RunnableTool,
  run: WorkableRun,
  active: ActiveRun,
  { credentials, services, news }: Given,
): ExecuteRequest {
  const { config } = context;
  const { timeoutMs, isolation, limits, allowedHosts } = tool.definition;
  const wallMs = wallTimeOf(active, atMost(timeoutMs, config.RUN_MAX_WALL_MS));
  return {
    runId: run.id,
    workspaceId: run.workspace_id,
    // Globals live on in a reused isolate: never across versions, users or credentials.
    reuseKey: `${tool.id}:${tool.version}:${run.user_id}:${credentials.tag}`,
    code: tool.bundle,
    inputJson: run.input,
    isolation,
    isChild: active.parent !== undefined,
    limits: {
      wallMs,
      cpuMs: atMost(limits.cpuMs, config.RUN_MAX_CPU_MS),
      memoryBytes: atMost(limits.memoryMb, config.RUN_MAX_MEMORY_MB) * 1024 * 1024,
      outputBytes: atMost(limits.outputBytes, config.RUN_MAX_OUTPUT_BYTES),
      logBytes: atMost(limits.logBytes, config.RUN_MAX_LOG_BYTES),
    },
    egress: {
      allowedHosts,
      privateHosts: config.EGRESS_PRIVATE_HOSTS,
      secrets: credentials.secrets,
      limits: {
        parallelRequests: config.EGRESS_MAX_PARALLEL_REQUESTS,
        requests: config.EGRESS_MAX_REQUESTS,
        bytesSent: config.EGRESS_MAX_SENT_BYTES,
        bytesReceived: config.EGRESS_MAX_RECEIVED_BYTES,
        connectMs: config.EGRESS_CONNECT_TIMEOUT_MS,
      },
    },
    services,
    credentials: credentials.shown,
    signal: active.abort.signal,
    onStart: () => {
      active.deadline = performance.now() + wallMs;
    },
    onProgress: (progress: Progress) => {
      const { message } = progress;
      active.progress =
        message === undefined ? progress : { ...progress, message: credentials.redact(message) };
      news();
    },
    onLog: (entry: LogEntry) => {
      active.lines.push({ ...entry, message: liveMessage(entry.message, credentials) });
      news();
    },
  };
}

/** A long line is searched in parts, once the run has ended; a part of it alone could hold a part of a secret. */
const maxLiveChars = 16 * 1024;

function liveMessage(message: string, { held, redact }: RunCredentials): string {
  if (held.length === 0 || message.length <= maxLiveChars) return redact(message);
  return `[a line of ${message.length} characters; the whole is in the log when the run has ended]`;
}

/** Tells who watches at once, and writes progress and log to the database about once a second. */
function reportNews(context: RunsContext, runId: string, active: ActiveRun) {
  let timer: NodeJS.Timeout | undefined;
  let storing = Promise.resolve();
  const store = () => {
    timer = undefined;
    storing = storing
      .then(() => storeNews(context, runId, active))
      .catch((error: unknown) => {
        context.log.warn({ err: error, runId }, "a run's progress was not written");
      });
  };
  return {
    news: () => {
      tellWatchers(active);
      timer ??= setTimeout(store, storeIntervalMs);
    },
    stop: () => {
      clearTimeout(timer);
      return storing;
    },
  };
}

async function storeNews(context: RunsContext, runId: string, active: ActiveRun): Promise<void> {
  const { progress, lines, storedLines, storedChunks, attempt } = active;
  if (progress !== undefined) await setProgress(context.db, runId, JSON.stringify(progress));
  const chunk = await packLogs(lines.slice(storedLines), attempt, storedChunks);
  if (chunk === undefined) return;
  await insertLogChunk(context.db, runId, chunk);
  active.storedLines += chunk.lineCount;
  active.storedChunks += 1;
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

/** What is left of the parent's time is all that a child may have. */
function wallTimeOf({ parent }: ActiveRun, ownMs: number): number {
  if (parent === undefined) return ownMs;
  return Math.max(1, Math.min(ownMs, Math.ceil(parent.deadline - performance.now())));
}

/** A tool's own limit, which may be below the server's and never above. */
function atMost(own: number | undefined, server: number): number {
  return Math.min(own ?? server, server);
}
