/** Texts of a tool and its form. */
export const run = "Run";
export const runningButton = "Running…";
export const runAgain = "Run again";
export const editInput = "Edit input and run again";
export const formLabel = (title: string) => `Input for ${title}`;

/** What screen readers announce when a run changes. */
export const announceRunning = "Tool is running.";
export const announceCompleted = "Run finished.";
export const announceCancelled = "Run cancelled.";
export const announceFailed = (reason: string) => `Run failed. ${reason}`;
export const announceMissing = "Credentials are required before the tool can run.";
export const announceRefused = (reason: string) => `Run not started. ${reason}`;

/** Texts of a run that is queued or running. */
export const queued = "Queued";
export const running = "Running";
export const progress = "Progress";
export const log = "Log";
export const cancel = "Cancel run";
export const cancelling = "Cancelling…";

/** Texts of a question that a running tool asks. */
export const questionLabel = (title: string | undefined) => `${title || "The tool"} asks`;
export const answerUntil = (time: string) => `Answer by ${time}.`;
export const noSecrets = "Do not enter passwords or keys: the tool reads the answer.";
export const answer = "Answer";
export const decline = "Decline";
export const awaitsAnswer = "The tool waits for an answer of the user who started the run.";

/** Texts of a run that has ended or was not started. */
export const result = "Result";
export const completed = "Completed";
export const shortened = "The output is long. Parts of it are not shown here.";
export const cancelled = "Cancelled";
export const failed = "Failed";
export const notStarted = "Not started";
export const reviewChange = "Review the change";
export const inDuration = (duration: string) => ` in ${duration}`;
export const stackTrace = "Stack trace";
export const logOf = (lines: number) => `Log (${lines} ${lines === 1 ? "line" : "lines"})`;

/** Texts of credentials that a run lacks. */
export const approvalRequired = "Approval required";
export const credentialsRequired = "Credentials required";
export const review = (name: string) => `Review ${name}`;
export const add = (name: string) => `Add ${name}`;
export const connect = (name: string) => `Connect ${name}`;
