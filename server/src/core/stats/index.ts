export type { RunCountsByTool } from "./count-by-tool.ts";
export { countRunsByTool } from "./count-by-tool.ts";
export type { StatsContext } from "./context.ts";
export { createStatsState } from "./context.ts";
export { countRuns } from "./count-runs.ts";
export { deleteOldStats } from "./delete-old-stats.ts";
export { getRunStats } from "./get-run-stats.ts";
