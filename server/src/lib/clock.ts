/** Where the service reads the time, so that tests can move it. Unix time in milliseconds. */
export type Clock = { now: () => number };

let correctionMs = 0;

/** The machine's clock, with the correction of {@link correctClock}. */
export const systemClock: Clock = { now: () => Date.now() + correctionMs };

/** Smaller differences are not corrected. */
const toleranceMs = 100;

/**
 * Makes {@link systemClock}, and the ids made by it, follow a clock that all nodes share, given what that clock showed between
 * two moments of ours. So a node whose clock is wrong writes the same times as the others. A slow answer, as on a busy
 * machine, does not show the difference exactly and corrects only a larger one.
 */
export function correctClock(sharedMs: number, own: { before: number; after: number }): void {
  const difference = sharedMs - (own.before + own.after) / 2;
  const uncertaintyMs = (own.after - own.before) / 2;
  if (Math.abs(difference - correctionMs) <= toleranceMs + uncertaintyMs) return;
  correctionMs = Math.round(difference);
}

/** RFC 3339 in UTC, as every time on the wire is written. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** {@link toTimestamp} of a time that may be missing. */
export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
