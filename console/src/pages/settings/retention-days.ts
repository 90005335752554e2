/** How long something is kept, in words. */
export function formatDays(days: number | null): string {
  if (days === null) return "for ever";
  return days === 1 ? "one day" : `${days} days`;
}

/** What was typed as a number of days: nothing is the server's own, null. Undefined is no such number. */
export function parseDays(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const days = Number(trimmed);
  return Number.isInteger(days) && days >= 1 ? days : undefined;
}
