import { oneOf, searchParams } from "#lib/search-params";

export const statsRanges = ["24h", "7d", "30d"] as const;

/** `range` is the time that the figures cover. */
export const validateOverviewSearch = searchParams({ range: oneOf(statsRanges) });
