export { addressSubject } from "./address-subject.ts";
export { capReached, capSteps, sumCapSteps } from "./caps.ts";
export type { LimitsContext } from "./context.ts";
export { deleteOldCounts } from "./counter.ts";
export {
  createConcurrencyLimits,
  reserveBody,
  reserveExport,
  reserveStream,
  reserveUpload,
  reserveWait,
} from "./concurrency-limits.ts";
export { createLimits, chargePoints, chargeRequest, chargeRun, chargeRuns } from "./limits.ts";
export type { LimitState } from "./rate-limit-headers.ts";
export { rateLimitHeaders } from "./rate-limit-headers.ts";
