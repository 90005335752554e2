import type { Progress } from "@toolhost/sandbox";

/** A run that this process works on. */
type ActiveRun = {
  workspaceId: string;
  abort: AbortController;
  /** Settles when the run's end is in the database; never rejects. */
  ended: Promise<void>;
  progress: Progress | undefined;
};

/** The runs this process works on, by id. */
export type ActiveRuns = Map<string, ActiveRun>;
