/** The results of a closed-loop load. */
export type Load = {
  /** Latencies of requests with the correct response. */
  latenciesMs: number[];
  /** Time from the first request to the last response. */
  seconds: number;
  /** Errors, one line for each failed request. */
  problems: string[];
};

/** At this number of errors the load stops, because the subject is broken. */
const maxProblems = 50;

/**
 * Maintains `concurrency` calls in flight for some seconds, then waits for the last. A call that rejects counts as
 * a problem, not as a request.
 */
export async function runLoad(
  concurrency: number,
  seconds: number,
  call: () => Promise<void>,
): Promise<Load> {
  const load: Load = { latenciesMs: [], seconds: 0, problems: [] };
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const loop = async () => {
    for (;;) {
      const askedAt = performance.now();
      if (askedAt >= endsAt || load.problems.length >= maxProblems) return;
      try {
        await call();
        load.latenciesMs.push(performance.now() - askedAt);
      } catch (error) {
        load.problems.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  load.seconds = (performance.now() - startedAt) / 1_000;
  return load;
}

/** Whether a message from another process is the result of a load. */
export function isLoad(value: unknown): value is Load {
  return (
    typeof value === "object" &&
    value !== null &&
    "latenciesMs" in value &&
    Array.isArray(value.latenciesMs) &&
    "seconds" in value &&
    typeof value.seconds === "number" &&
    "problems" in value &&
    Array.isArray(value.problems)
  );
}

/** The percentile of the values, as a fraction. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The median. NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
