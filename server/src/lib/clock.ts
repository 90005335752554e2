/** Where the service reads the time, so that tests can move it. Unix time in milliseconds. */
export type Clock = { now: () => number };

let correctionMs = 0;

/** The machine's clock, with the correction of {@link correctClock}. */
export const systemClock: Clock = { now: () => Date.now() + correctionMs };

/** Smaller differences change nothing and are mostly the time that asking took. */
const toleranceMs = 100;

/**
 * Makes {@link systemClock}, and the ids made by it, follow a clock that all nodes share, by telling it what
 * that clock showed at a moment of ours. So a node whose clock is wrong writes the same times as the others.
 */
export function correctClock(sharedMs: number, ownMs: number): void {
  const difference = sharedMs - ownMs;
  if (Math.abs(difference - correctionMs) > toleranceMs) correctionMs = Math.round(difference);
}

/** RFC 3339 in UTC, as every time on the wire is written. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** {@link toTimestamp} of a time that may be missing. */
export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
