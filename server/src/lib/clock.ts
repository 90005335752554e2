/** The time that the service reads, in Unix milliseconds. Tests can set it. */
export type Clock = { now: () => number };

let correctionMs = 0;

/** The machine's clock, with the correction of {@link correctClock}. */
export const systemClock: Clock = { now: () => Date.now() + correctionMs };

/** Smaller differences are ignored, because most of them are the duration of the query. */
const toleranceMs = 100;

/**
 * Corrects {@link systemClock} and new IDs to the clock that all nodes share, given both times at one moment.
 * So a node whose clock is wrong writes the same times as the others.
 */
export function correctClock(sharedMs: number, ownMs: number): void {
  const difference = sharedMs - ownMs;
  if (Math.abs(difference - correctionMs) > toleranceMs) correctionMs = Math.round(difference);
}

/** RFC 3339 in UTC, the format of all times in the API. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Like {@link toTimestamp}, for a time that may be missing. */
export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
