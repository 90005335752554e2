import type { WebhookDeliveryTable } from "#db";

const minute = 60_000;
const hour = 60 * minute;

/** The pause after each failed attempt; after the last one, three days after the first, the delivery is a dead letter. */
const pausesMs = [
  5_000,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  21 * hour,
];
const jitter = 0.1;
const maxRetryAfterMs = 24 * hour;

/** A webhook of which all attempts fail for this long is disabled. */
export const maxFailingMs = 72 * hour;

export function attemptsOf({
  attempt,
  uncounted_attempts: uncounted,
}: Pick<WebhookDeliveryTable, "attempt" | "uncounted_attempts">): number {
  return attempt - uncounted;
}

/** How long to wait after a number of attempts. Undefined after the last one. */
export function retryPauseMs(attempts: number, retryAfterMs: number): number | undefined {
  const pauseMs = pausesMs[attempts - 1];
  if (pauseMs === undefined) return undefined;
  return Math.max(pauseMs * (1 + jitter * Math.random()), retryAfterMs);
}

const firstProbeMs = 5_000;
const maxProbeMs = 5 * minute;
const toleratedFailures = 2;

/** How long a webhook gets no request after consecutive batches in which every attempt failed. */
export function probePauseMs(failures: number): number {
  if (failures <= toleratedFailures) return 0;
  return Math.min(firstProbeMs * 2 ** (failures - toleratedFailures - 1), maxProbeMs);
}

/** The `Retry-After` of a 429 or 503, at most a day; 0 if there is none. */
export function readRetryAfter(
  { status, retryAfter }: { status: number; retryAfter: string | undefined },
  now: number,
): number {
  if (retryAfter === undefined || (status !== 429 && status !== 503)) return 0;
  const ms = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), maxRetryAfterMs);
}
