/** The time that the service reads, in Unix milliseconds. Tests can set it. */
export type Clock = { now: () => number };

let correctionMs = 0;

/** The machine's clock, with the correction of {@link correctClock}. */
export const systemClock: Clock = { now: () => Date.now() + correctionMs };

/** Smaller differences are ignored. */
const toleranceMs = 100;

/**
 * Corrects {@link systemClock} and new IDs to the clock that all nodes share, given its time at a moment between two
 * times of this node's clock. So a node whose clock is wrong writes the same times as the others. The longer the query
 * took, as on a busy machine, the less exact the difference is, so a small one is ignored.
 */
export function correctClock(sharedMs: number, own: { before: number; after: number }): void {
  const difference = sharedMs - (own.before + own.after) / 2;
  const uncertaintyMs = (own.after - own.before) / 2;
  if (Math.abs(difference - correctionMs) <= toleranceMs + uncertaintyMs) return;
  correctionMs = Math.round(difference);
}

/** RFC 3339 in UTC, the format of all times in the API. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Like {@link toTimestamp}, for a time that may be missing. */
export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
