import { messages } from "./messages.ts";

/** A retention period; null is forever. */
export function formatDays(days: number | null): string {
  return days === null ? messages.retention.forever : messages.retention.days(days);
}

/** A typed number of days: null for an empty field, undefined for an invalid one. */
export function parseDays(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const days = Number(trimmed);
  return Number.isInteger(days) && days >= 1 ? days : undefined;
}
