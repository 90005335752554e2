export type { Metrics } from "./create-metrics.ts";
export { createMetrics } from "./create-metrics.ts";
