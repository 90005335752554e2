import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** How many runs took how long: the count of each bucket. */
export type Durations = Map<number, number>;

/** Each bucket ends a tenth above its start, so a percentile is within five percent. */
const growth = 1.1;

/** The bucket of a run's duration; null if it has no duration. */
export const durationBucket: RawBuilder<number | null> = sql`case when duration_ms is null then null
  else cast(floor(ln(case when duration_ms > 1 then duration_ms else 1 end)
    / ${sql.lit(Math.log(growth))}) as integer) end`;

export function addDurations(into: Durations, more: Iterable<readonly [number, number]>): void {
  for (const [bucket, count] of more) into.set(bucket, (into.get(bucket) ?? 0) + count);
}

/** The duration that this share of the runs did not exceed, in milliseconds; null without runs. */
export function percentile(durations: Durations, share: number): number | null {
  const total = [...durations.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.ceil(total * share);
  for (const bucket of [...durations.keys()].toSorted((a, b) => a - b)) {
    left -= durations.get(bucket) ?? 0;
    if (left <= 0) return middleOf(bucket);
  }
  return null;
}

function middleOf(bucket: number): number {
  const middle = (2 * growth ** (bucket + 1)) / (growth + 1);
  return middle < 100 ? Math.round(middle * 10) / 10 : Math.round(middle);
}

export function packDurations(durations: Durations): string {
  return [...durations].map(([bucket, count]) => `${bucket}:${count}`).join(" ");
}

export function unpackDurations(text: string): [number, number][] {
  if (text === "") return [];
  return text.split(" ").map((part) => {
    const colon = part.indexOf(":");
    return [Number(part.slice(0, colon)), Number(part.slice(colon + 1))];
  });
}
