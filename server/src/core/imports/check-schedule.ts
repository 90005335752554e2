import type { ImportKind } from "@toolhost/contract";

const hourMs = 3_600_000;
/** How often a document or server is read again. */
const intervals: Record<ImportKind, number> = { openapi: 24 * hourMs, mcp: 2 * hourMs };
const jitter = 0.1;
const firstRetryMs = 15 * 60_000;

/** The time of the next check: spread, so that imports of one time are not checked at one time. */
export function nextCheckAt(kind: ImportKind, now: number): number {
  return spread(now, intervals[kind]);
}

/** The time of the next check after failed ones. Failures are checked again sooner at first, never later than usual. */
export function retryCheckAt(kind: ImportKind, now: number, failures: number): number {
  return spread(now, Math.min(intervals[kind], firstRetryMs * 2 ** Math.min(failures - 1, 20)));
}

function spread(now: number, pauseMs: number): number {
  return Math.round(now + pauseMs * (1 + jitter * (Math.random() * 2 - 1)));
}
