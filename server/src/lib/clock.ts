/** Where the service reads the time, so that tests can move it. Unix time in milliseconds. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 in UTC, as every time on the wire is written. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** {@link toTimestamp} of a time that may be missing. */
export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
