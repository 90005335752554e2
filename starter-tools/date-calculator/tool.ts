import { DateTime, Duration, IANAZone } from "luxon";

type Input = {
  operation: "convert" | "add" | "subtract" | "difference";
  date: string;
  otherDate?: string;
  duration?: string;
  timeZone?: string;
  resultTimeZone?: string;
};

type Output = {
  date: string;
  timeZone: string;
  weekday: string;
  weekNumber: number;
  dayOfYear: number;
  unixSeconds: number;
  duration?: string;
  totalDays?: number;
};

/** Computes on dates in time zones; a day across a clock change is one day, even if it has 23 or 25 hours. */
export default async function dateCalculator(input: Input): Promise<Output> {
  const zone = checkedZone(input.timeZone ?? "UTC");
  const resultZone = checkedZone(input.resultTimeZone ?? zone);
  const start = parseDate(input.date, zone);

  switch (input.operation) {
    case "add":
      return describe(start.plus(parseDuration(input.duration)), resultZone);
    case "subtract":
      return describe(start.minus(parseDuration(input.duration)), resultZone);
    case "difference":
      return difference(start, parseEnd(input.otherDate, zone), resultZone);
    default:
      return describe(start, resultZone);
  }
}

function difference(start: DateTime<true>, end: DateTime<true>, zone: string): Output {
  const duration = end.diff(start, ["years", "months", "days", "hours", "minutes", "seconds"]);
  return {
    ...describe(end, zone),
    duration: duration.toISO(),
    totalDays: Number(end.diff(start, "days").days.toFixed(6)),
  };
}

function parseEnd(text: string | undefined, zone: string): DateTime<true> {
  if (text !== undefined) return parseDate(text, zone);
  throw new Error(
    '"difference" needs "otherDate": the date to which the time from "date" is counted.',
  );
}

function checkedZone(name: string): string {
  if (name === "UTC" || IANAZone.isValidZone(name)) return name;
  throw new Error(
    `"${name}" is not a time zone. Use an IANA name such as "Europe/Berlin" or "UTC".`,
  );
}

/** A date with an offset keeps its instant; any other is a wall-clock time in the zone. */
function parseDate(text: string, zone: string): DateTime<true> {
  const date = text === "now" ? DateTime.now().setZone(zone) : DateTime.fromISO(text, { zone });
  if (date.isValid) return date;
  throw new Error(
    `"${text}" is not a date. Use ISO 8601, such as "2026-03-01" or "2026-03-01T09:30", or "now".`,
  );
}

function parseDuration(text: string | undefined): Duration {
  const duration = Duration.fromISO(text ?? "");
  if (duration.isValid) return duration;
  throw new Error(
    `"add" and "subtract" need "duration" in ISO 8601, such as "P1Y2M", "P3W" or "P1DT12H30M".`,
  );
}

function describe(date: DateTime<true>, zone: string): Output {
  const local = date.setZone(zone).setLocale("en");
  if (!local.isValid) {
    throw new Error("The result is out of range for dates. Use a shorter duration.");
  }
  return {
    date: local.toISO({ suppressMilliseconds: true }),
    timeZone: zone,
    weekday: local.weekdayLong,
    weekNumber: local.weekNumber,
    dayOfYear: local.ordinal,
    unixSeconds: local.toUnixInteger(),
  };
}
