export { createRunBatch } from "./batches/create-batch.ts";
export { cancelRunBatch, getRunBatch } from "./batches/get-batch.ts";
export { listRunBatches } from "./batches/list-batches.ts";
export { BridgeError, callBridge } from "./bridges/call-bridge.ts";
export { bridgeScheme } from "./bridges/bridge-store.ts";
export {
  answerBridgeCall,
  connectBridge,
  deleteOldBridges,
  disconnectBridge,
  takeBridgeCalls,
} from "./bridges/connect-bridge.ts";
export { applyCancelRequests, cancelRun, stopRevokedRuns } from "./cancel.ts";
export type { RunsContext } from "./context.ts";
export { createRunsState } from "./context.ts";
export type { RunEvent } from "./live/watch-run.ts";
export { followProgress, watchRun } from "./live/watch-run.ts";
export { findMissingCredentials, tryFindMissingCredentials } from "./missing-credentials.ts";
export { processQueue } from "./queue/claim-runs.ts";
export { findLongestQueues, readQueueState } from "./queue/queue-state.ts";
export { findRunResponse } from "./records/find-run-response.ts";
export { answerQuestion } from "./questions/answer-question.ts";
export { countRuns, findKeyedRuns, getRun, getRunList, getRunLogs } from "./records/get-run.ts";
export { rateRun } from "./records/rate-run.ts";
export { runLocation } from "./records/present-run.ts";
export { findRunTitles } from "./records/run-titles.ts";
export { getToolActivity } from "./records/tool-activity.ts";
export { recoverOrphanedRuns, recoverOwnOrphanedRuns } from "./recovery/recover-orphaned-runs.ts";
export { subscribe } from "./relay/node-messages.ts";
export {
  deleteOldMessages,
  fetchMessages,
  notifyNode,
  relayMessage,
} from "./relay/relayed-messages.ts";
export { runTool } from "./run-tool.ts";
export { stopRuns } from "./stop-runs.ts";
export {
  deleteLogs,
  deleteRuns,
  findLargestWorkspaces,
  runSizes,
} from "./storage/deletion-store.ts";
export { nearQuota } from "./storage/storage-quota.ts";
export { longPoll, notifyWaiters } from "./wait.ts";
