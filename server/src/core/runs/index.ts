export type { Admission } from "./admission.ts";
export type { ActiveRuns } from "./active-runs.ts";
export { createAdmission } from "./admission.ts";
export { cancelRun, obeyCancelRequests } from "./cancel-run.ts";
export { endForgottenRuns } from "./end-abandoned-runs.ts";
export { getRun, getRunList, getRunLogs } from "./get-run.ts";
export { runTool } from "./run-tool.ts";
export { stopRuns } from "./stop-runs.ts";
export { beat } from "./node-heartbeat.ts";
