import type { LogEntry, Progress, Redactor } from "@toolhost/sandbox";
import type { RunsContext } from "./context.ts";
import type { HeldCredential } from "#core/vault";
import type { RunnableTool } from "#core/catalog";
import type { RunTable } from "#db";
import type { Place } from "./admission.ts";
import type { NewRun } from "./begin-store.ts";
import type { RunOutcome } from "./run.ts";

/** A run that this process works on. */
export type ActiveRun = {
  id: string;
  workspaceId: string;
  attempt: number;
  abort: AbortController;
  /** Settles when the run's end is in the database; never rejects. */
  ended: Promise<void>;
  progress: Progress | undefined;
  /** Every line so far, and how many of them are in the database. */
  lines: LogEntry[];
  storedLines: number;
  storedChunks: number;
  /** The credentials that its code may use. */
  credentials: readonly HeldCredential[];
  /** Takes their values out of a text. */
  redact: Redactor;
  /** Told of each line, each progress and the end. */
  watchers: Set<() => void>;
  /** Another node waits for the end and is to be told of it. */
  hasRemoteWaiters: boolean;
  /** The run that waits for this one. What is known of its descent never comes from the sandbox. */
  parent: ActiveRun | undefined;
  /** The names of the tools from the one that a caller asked for to this run's own. */
  lineage: readonly string[];
  /** What a run shares with all that run below it. */
  family: { calls: number };
  /** Its calls for other runs that are under way. */
  calls: Set<ChildCall>;
  /** Its code has ended, and may ask for nothing more. */
  isOver: boolean;
  /** When its time is up, by `performance.now()`; not a time while it waits for a process. */
  deadline: number;
  /** The workspace that made its tool; empty until it is known. */
  toolHome: string;
  /** Whether it began as a private run, or asked for one. Its row tells whether it is one now. */
  isPrivate: boolean;
  /** Files that its tool may open and pass on. */
  fileIds: Set<string>;
};

/** A call for another run; `ended` resolves, and never rejects, when that run's end is written. */
type ChildCall = { abort: AbortController; ended: Promise<void> };

/** The run that a child belongs to, and what cancels the child. */
export type Within = { parent: ActiveRun; abort: AbortController };

/** Begins the work of a run that was just written. Handed on to where a run asks for another. */
export type StartRun = (
  context: RunsContext,
  tool: RunnableTool,
  run: NewRun,
  how: { place: Place; within?: Within },
) => Promise<RunOutcome>;

/** The runs this process works on, by id. */
export type ActiveRuns = Map<string, ActiveRun>;

/** A run of which nothing has happened yet. */
export function createActiveRun(
  run: Pick<RunTable, "id" | "workspace_id" | "tool_name" | "attempt" | "is_private">,
  { hasRemoteWaiters = false, within }: { hasRemoteWaiters?: boolean; within?: Within },
): ActiveRun {
  const { parent, abort = new AbortController() } = within ?? {};
  return {
    id: run.id,
    workspaceId: run.workspace_id,
    attempt: run.attempt,
    abort,
    ended: Promise.resolve(),
    progress: undefined,
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
    toolHome: "",
    isPrivate: run.is_private === 1,
    fileIds: new Set(),
  };
}

/** Tells whoever follows the run live that there is news. */
export function tellWatchers(run: ActiveRun): void {
  for (const tell of run.watchers) tell();
}
