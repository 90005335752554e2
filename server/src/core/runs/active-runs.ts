import type { LogEntry, Progress } from "@toolhost/sandbox";

/** A run that this process works on. */
export type ActiveRun = {
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
  /** Names of the credentials that its code may use. */
  credentials: readonly string[];
  /** Told of each line, each progress and the end. */
  watchers: Set<() => void>;
  /** Another node waits for the end and is to be told of it. */
  isAwaitedElsewhere: boolean;
};

/** The runs this process works on, by id. */
export type ActiveRuns = Map<string, ActiveRun>;

/** A run of which nothing has happened yet. */
export function createActiveRun(
  run: { workspace_id: string; attempt: number },
  isAwaitedElsewhere: boolean,
): ActiveRun {
  return {
    workspaceId: run.workspace_id,
    attempt: run.attempt,
    abort: new AbortController(),
    ended: Promise.resolve(),
    progress: undefined,
    lines: [],
    storedLines: 0,
    storedChunks: 0,
    credentials: [],
    watchers: new Set(),
    isAwaitedElsewhere,
  };
}

/** Tells whoever follows the run live that there is news. */
export function tellWatchers(run: ActiveRun): void {
  for (const tell of run.watchers) tell();
}
