import type { ApiRequest } from "@toolhost/contract/api";

/** What of the address narrows the list. */
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

/** How far back a list goes, by what stands in the address. */
export const periods: Readonly<Record<string, { label: string; minutes: number }>> = {
  "1h": { label: "Last hour", minutes: 60 },
  "24h": { label: "Last 24 hours", minutes: 24 * 60 },
  "7d": { label: "Last 7 days", minutes: 7 * 24 * 60 },
  "30d": { label: "Last 30 days", minutes: 30 * 24 * 60 },
};

type RunsQuery = NonNullable<ApiRequest<"GET /runs">["query"]>;

/**
 * The query of `GET /runs` for an address. `minute` is now, in minutes since 1970. Whatever else somebody wrote into the address
 * is left to the service to refuse.
 */
export function queryOf(
  search: Readonly<Record<string, string | undefined>>,
  minute: number,
): RunsQuery {
  const { since, ...rest } = Object.fromEntries(
    filterNames.map((name) => [name, search[name]?.trim()]).filter(([, value]) => value),
  ) as RunsQuery;
  const span = since === undefined ? undefined : periods[since];
  if (since === undefined) return rest;
  return {
    ...rest,
    since: span === undefined ? since : new Date((minute - span.minutes) * 60_000).toISOString(),
  };
}
