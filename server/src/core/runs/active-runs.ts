import type { Question, Via } from "@toolhost/contract";
import type { LogEntry, Progress, Redactor } from "@toolhost/sandbox";
import type { Actor, Caller } from "#core/kernel";
import type { HeldCredential } from "#core/vault";
import type { RunTable } from "#db";
import { noSpan } from "#telemetry";
import type { Span } from "#telemetry";
import type { Slot } from "./queue/admission.ts";
import { writtenRecord } from "./run-record.ts";
import type { RunRecord } from "./run-record.ts";

/** On whose behalf a run executes. */
export type RunCaller = Pick<Caller, "userId" | "workspaceId" | "actor" | "via" | "ip"> & {
  requestId: string | null;
};

/** The columns that executing a run needs, whether it was just written or claimed from the queue. */
export type ExecutableRun = Pick<
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
  | "sealed_input"
  | "node_id"
  | "started_at"
  | "idempotency_id"
  | "attempt"
  | "parent_run_id"
  | "draft_id"
  | "is_private"
  | "created_at"
  | "trace_context"
> &
  Partial<Pick<RunTable, "batch_id">>;

/** The caller that a run's row names. */
export function callerOfRun(run: ExecutableRun): RunCaller {
  return {
    userId: run.user_id,
    workspaceId: run.workspace_id,
    actor: JSON.parse(run.actor) as Actor,
    via: run.via as Via,
    requestId: run.request_id,
    ip: run.ip,
  };
}

/** A run that executes in this process. */
export type ActiveRun = {
  id: string;
  workspaceId: string;
  userId: string;
  attempt: number;
  abort: AbortController;
  record: RunRecord;
  /** Resolves when the run's end is written. Never rejects. */
  ended: Promise<void>;
  progress: Progress | undefined;
  /** The question that its tool asks now, and how many it has asked. */
  questions: { open: Question | undefined; isAsking: boolean; count: number };
  /** Undefined until it executes. */
  slot: Slot | undefined;
  /** Every log line so far, and how many of them are in the database. */
  lines: LogEntry[];
  storedLines: number;
  storedChunks: number;
  /** The credentials that its code may use. */
  credentials: readonly HeldCredential[];
  /** Removes their values from a text. */
  redact: Redactor;
  /** Called on each log line, on progress, when a question opens or closes, and at the end. */
  watchers: Set<() => void>;
  /** A request on another node may wait for the end, so that is broadcast. */
  hasRemoteWaiters: boolean;
  /** The run that waits for this one. Ancestry is never taken from the sandbox. */
  parent: ActiveRun | undefined;
  /** Tool names from the run that the caller submitted to this one. */
  lineage: readonly string[];
  /** Shared by a run and all its descendants. */
  family: { calls: number };
  /** Calls to child runs in progress. */
  calls: Set<ChildCall>;
  /** Its code has ended, so it may not start child runs. */
  isOver: boolean;
  /** When its time limit is reached, by `performance.now()`; infinite until its code starts. */
  deadline: number;
  /** The workspace that made its tool; empty until known. */
  toolWorkspaceId: string;
  /** Whether it was private when it started, or has run a private child. Its row has the current value. */
  isPrivate: boolean;
  /** Files that its tool may open and pass to child runs. */
  fileIds: Set<string>;
  /** The span of what it does now. What its tool asks for arrives on other connections and belongs to this span. */
  span: Span;
};

/** A call to a child run. `ended` resolves when the child's end is written, and never rejects. */
type ChildCall = { abort: AbortController; ended: Promise<void> };

/** The runs that execute in this process, by ID. */
export type ActiveRuns = Map<string, ActiveRun>;

type Options = {
  hasRemoteWaiters?: boolean;
  parent?: ActiveRun;
  abort?: AbortController;
  record?: RunRecord;
};

/** A run that has not started yet. `abort` cancels it. */
export function createActiveRun(
  run: Pick<RunTable, "id" | "workspace_id" | "user_id" | "tool_name" | "attempt" | "is_private">,
  {
    hasRemoteWaiters = false,
    parent,
    abort = new AbortController(),
    record = writtenRecord,
  }: Options = {},
): ActiveRun {
  return {
    id: run.id,
    workspaceId: run.workspace_id,
    userId: run.user_id,
    attempt: run.attempt,
    abort,
    record,
    ended: Promise.resolve(),
    progress: undefined,
    slot: undefined,
    questions: { open: undefined, isAsking: false, count: 0 },
    lines: [],
    storedLines: 0,
    storedChunks: 0,
    credentials: [],
    redact: (text) => text,
    watchers: new Set(),
    hasRemoteWaiters,
    parent,
    lineage: [...(parent?.lineage ?? []), run.tool_name],
    family: parent?.family ?? { calls: 0 },
    calls: new Set(),
    isOver: false,
    deadline: Infinity,
    toolWorkspaceId: "",
    isPrivate: run.is_private === 1,
    fileIds: new Set(),
    span: noSpan,
  };
}

/**
 * Aborts the runs of a workspace, or of one user in it, that execute in this process: also those that are not written yet, which
 * no mark in the database can reach.
 */
export function abortRunsOf(
  runs: ActiveRuns,
  { workspaceId, userId }: { workspaceId: string; userId: string | undefined },
): void {
  for (const run of runs.values()) {
    if (run.workspaceId !== workspaceId) continue;
    if (userId === undefined || run.userId === userId) run.abort.abort();
  }
}

/** Notifies watchers that the run has a new log line, progress or question, or has ended. */
export function notifyWatchers(run: ActiveRun): void {
  for (const notify of run.watchers) notify();
}

/** The abort reason of a graceful shutdown, which distinguishes it from a cancellation. */
export const shutdown = Symbol("shutdown");
