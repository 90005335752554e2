import type { ApiRequest } from "@toolhost/contract/api";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.filters.periods;

/** The URL parameters that filter the list. */
const filterNames = [
  "q",
  "toolName",
  "status",
  "via",
  "userId",
  "draft",
  "since",
  "parentRunId",
] as const;

/** The periods that can be chosen, by their value in the URL. */
export const periods: Readonly<Record<string, { label: string; minutes: number }>> = {
  "1h": { label: messages.hour, minutes: 60 },
  "24h": { label: messages.day, minutes: 24 * 60 },
  "7d": { label: messages.week, minutes: 7 * 24 * 60 },
  "30d": { label: messages.month, minutes: 30 * 24 * 60 },
};

type RunsQuery = NonNullable<ApiRequest<"GET /runs">["query"]>;

/**
 * Builds the query of `GET /runs` from the URL. `minute` is the current time in minutes since 1970. Invalid values are passed on,
 * so that the service rejects them.
 */
export function queryOf(
  search: Readonly<Record<string, string | undefined>>,
  minute: number,
): RunsQuery {
  const { since, ...rest } = Object.fromEntries(
    filterNames.map((name) => [name, search[name]?.trim()]).filter(([, value]) => value),
  ) as RunsQuery;
  const period = since === undefined ? undefined : periods[since];
  if (since === undefined) return rest;
  return {
    ...rest,
    since:
      period === undefined ? since : new Date((minute - period.minutes) * 60_000).toISOString(),
  };
}
