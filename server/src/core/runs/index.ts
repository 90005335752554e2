export { awaitRun } from "./await-run.ts";
export { cancelRun, obeyCancelRequests } from "./cancel-run.ts";
export { tryFindMissingCredentials, findMissingCredentials } from "./missing-credentials.ts";
export type { RunsContext } from "./context.ts";
export { createRunsState } from "./context.ts";
export { findKeyedRuns } from "./find-keyed-runs.ts";
export { followProgress } from "./follow-progress.ts";
export { countWaitingRuns, getRun, getRunList, getRunLogs } from "./get-run.ts";
export { recallRunAnswer } from "./recall-run-answer.ts";
export {
  deleteOldMessages,
  fetchMessages,
  notifyNode,
  relayMessage,
} from "./relay/relayed-messages.ts";
export { deleteLogs, deleteRuns, findLargestWorkspaces, runSizes } from "./run-bytes-store.ts";
export { fullPart } from "./run-bytes.ts";
export { takeWaitingRuns } from "./run-queue.ts";
export { subscribe } from "./relay/node-messages.ts";
export { runTool } from "./run-tool.ts";
export { stopCancelledRuns } from "./stop-cancelled-runs.ts";
export { stopRuns } from "./stop-runs.ts";
export { takeOverForgottenRuns, takeOverRuns } from "./take-over-runs.ts";
export { tellEndedRuns } from "./tell-ended-runs.ts";
export { getToolActivity } from "./tool-activity.ts";
export type { RunNews } from "./watch-run.ts";
export { watchRun } from "./watch-run.ts";
