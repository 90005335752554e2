import type { ApiRequest } from "@toolhost/contract/api";

/** The URL parameters that filter the list. */
const filterNames = [
  "sort",
  "q",
  "toolName",
  "status",
  "via",
  "userId",
  "draft",
  "since",
  "parentRunId",
  "credential",
  "host",
  "apiKeyId",
  "appId",
] as const;

/** The minutes of the periods that can be chosen, by their value in the URL. */
export const periodMinutes: Readonly<Record<string, number>> = {
  "1h": 60,
  "24h": 24 * 60,
  "7d": 7 * 24 * 60,
  "30d": 30 * 24 * 60,
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
  if (since === undefined) return rest;
  const minutes = periodMinutes[since];
  return {
    ...rest,
    since: minutes === undefined ? since : new Date((minute - minutes) * 60_000).toISOString(),
  };
}
