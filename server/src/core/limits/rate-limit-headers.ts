/** A caller's state in one limit after a request. */
export type PolicyState = {
  name: string;
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
};

/** A caller's state in each limit that applies. States of one request can be concatenated. */
export type LimitState = readonly PolicyState[];

/**
 * The headers of draft-ietf-httpapi-ratelimit-headers-10: all limits that apply, and the remainder of the tightest.
 * None if no limit applies.
 */
export function rateLimitHeaders(state: LimitState): Record<string, string> {
  const [tightest] = state.toSorted(
    (a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds,
  );
  if (tightest === undefined) return {};
  const { name, remaining, resetSeconds } = tightest;
  return {
    "ratelimit-policy": state
      .map((policy) => `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`)
      .join(", "),
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
