type Options = Intl.DateTimeFormatOptions;

const day = { month: "short", day: "numeric" } as const satisfies Options;
const minute = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const satisfies Options;
const second = { ...minute, second: "2-digit" } as const satisfies Options;

/** What is shown of a time, all in the user's time zone and with 24 hours. */
const formats = {
  /** "Mar 1, 2026, 17:05:09" */
  dateTime: { ...day, year: "numeric", ...second },
  /** "Mar 1, 17:05" */
  dateAndMinute: { ...day, ...minute },
  /** "Mar 1, 2026" */
  date: { ...day, year: "numeric" },
  /** "Mar 1" */
  day,
  /** "17:05" */
  minute,
  /** "17:05:09.042" */
  millisecond: { ...second, fractionalSecondDigits: 3 },
} as const satisfies Record<string, Options>;

/** Creating one takes much longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formats a time. All times that are not relative have one of these formats, so that they can be compared. */
export function formatTime(
  at: string | number | Date,
  format: keyof typeof formats = "dateTime",
  timeZone?: string,
): string {
  const key = `${format} ${timeZone ?? ""}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    const zone = timeZone === undefined ? {} : { timeZone };
    formatter = new Intl.DateTimeFormat("en", { ...formats[format], ...zone });
    formatters.set(key, formatter);
  }
  return formatter.format(new Date(at));
}
