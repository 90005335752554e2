/** Texts of a tool and its form. */
export const toolMessages = {
  run: "Run",
  running: "Running…",
  runAgain: "Run again",
  edit: "Edit input and run again",
  form: (title: string) => `Input for ${title}`,
};

/** What screen readers announce when a run changes. */
export const announcements = {
  running: "Tool is running.",
  completed: "Run finished.",
  cancelled: "Run cancelled.",
  failed: (reason: string) => `Run failed. ${reason}`,
  missing: "Credentials are required before the tool can run.",
  refused: (reason: string) => `Run not started. ${reason}`,
};

/** Texts of a run that is queued or running. */
export const runningMessages = {
  queued: "Queued",
  running: "Running",
  progress: "Progress",
  log: "Log",
  cancel: "Cancel",
  cancelling: "Cancelling…",
};

/** Texts of a run that has ended or was not started. */
export const endMessages = {
  result: "Result",
  completed: "Completed",
  cancelled: "Cancelled",
  failed: "Failed",
  refused: "Not started",
  duration: (duration: string) => ` in ${duration}`,
  stack: "Stack trace",
  log: (lines: number) => `Log (${lines} ${lines === 1 ? "line" : "lines"})`,
};

/** Texts of credentials that a run lacks. */
export const missingMessages = {
  unapproved: "Approval required",
  unconnected: "Credentials required",
  review: (name: string) => `Review ${name}`,
  connect: (name: string) => `Connect ${name}`,
};
