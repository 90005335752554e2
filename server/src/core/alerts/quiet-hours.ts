import type { QuietHours } from "@toolhost/contract";

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** When a notification of this moment is sent: then, or at the end of the quiet hours that it is in. */
export function sendAt(now: number, quiet: QuietHours | null): number {
  if (quiet === null) return now;
  const [start, end] = [minutesOf(quiet.start), minutesOf(quiet.end)];
  const local = localMinutes(now, quiet.timeZone);
  const sinceStart = (local - start + dayMinutes) % dayMinutes;
  if (sinceStart >= (end - start + dayMinutes) % dayMinutes) return now;
  const minuteStart = Math.floor(now / minuteMs) * minuteMs;
  const at = minuteStart + ((end - local + dayMinutes) % dayMinutes) * minuteMs;
  // The clock may change in between, by an hour at most.
  const late = (localMinutes(at, quiet.timeZone) - end + dayMinutes) % dayMinutes;
  return at - (late > dayMinutes / 2 ? late - dayMinutes : late) * minuteMs;
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function localMinutes(at: number, timeZone: string): number {
  const options = { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return minutesOf(new Intl.DateTimeFormat("en-GB", options).format(at));
}
