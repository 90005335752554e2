export type { ActiveRuns } from "./active-runs.ts";
export type { Admission } from "./admission.ts";
export { createAdmission } from "./admission.ts";
export { awaitRun } from "./await-run.ts";
export { cancelRun, obeyCancelRequests } from "./cancel-run.ts";
export { findKnownLacks, findMissingCredentials } from "./check-credentials.ts";
export type { ChildPlaces } from "./child-places.ts";
export { createChildPlaces } from "./child-places.ts";
export { findKeyedRuns } from "./find-keyed-runs.ts";
export { followProgress } from "./follow-progress.ts";
export { countWaitingRuns, getRun, getRunList, getRunLogs } from "./get-run.ts";
export type { QueueCounts } from "./queue-room.ts";
export { createQueueCounts } from "./queue-room.ts";
export { recallRunAnswer } from "./recall-run-answer.ts";
export {
  deleteOldMessages,
  fetchMessages,
  nudgeAnywhere,
  relayMessage,
} from "./relay/relay-message.ts";
export type { Relay } from "./relay/relay.ts";
export { createRelay } from "./relay/relay.ts";
export { deleteLogs, deleteRuns, findLargestWorkspaces, runSizes } from "./run-bytes-store.ts";
export type { RunBytes } from "./run-bytes.ts";
export { createRunBytes, fullPart } from "./run-bytes.ts";
export type { RunEndings } from "./run-endings.ts";
export { createRunEndings } from "./run-endings.ts";
export type { RunQueue } from "./run-queue.ts";
export { createRunQueue, takeWaitingRuns } from "./run-queue.ts";
export { hearSignals, sendSignal } from "./run-signals.ts";
export { runTool } from "./run-tool.ts";
export { stopCancelledRuns } from "./stop-cancelled-runs.ts";
export { stopRuns } from "./stop-runs.ts";
export { takeOverForgottenRuns, takeOverRuns } from "./take-over-runs.ts";
export { tellEndedRuns } from "./tell-ended-runs.ts";
export { getToolActivity } from "./tool-activity.ts";
export type { RunNews } from "./watch-run.ts";
export { watchRun } from "./watch-run.ts";
