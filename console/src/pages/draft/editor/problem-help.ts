/** How the user can fix a problem of the code. */
export type ProblemHelp = {
  fix?: { title: string; apply: () => void };
  /** Explains a problem without a fix. */
  note?: string;
  /** Why the fix failed. */
  error?: string | undefined;
};

/** Finds the help for a problem by its code and message. */
export type FindHelp = (code: number, message: string) => ProblemHelp | undefined;
