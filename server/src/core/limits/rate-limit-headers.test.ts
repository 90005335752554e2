import { describe, expect, it } from "vitest";
import { rateLimitHeaders } from "./rate-limit-headers.ts";

const requests = {
  name: "requests",
  limit: 600,
  windowSeconds: 60,
  remaining: 599,
  resetSeconds: 42,
};
const runs = {
  name: "runs-per-day",
  limit: 1_000,
  windowSeconds: 86_400,
  remaining: 3,
  resetSeconds: 4_000,
};

describe("rateLimitHeaders", () => {
  it("lists all limits that apply, and the remainder of the tightest", () => {
    expect(rateLimitHeaders([requests])).toEqual({
      "ratelimit-policy": '"requests";q=600;w=60',
      ratelimit: '"requests";r=599;t=42',
    });
    expect(rateLimitHeaders([requests, runs])).toEqual({
      "ratelimit-policy": '"requests";q=600;w=60, "runs-per-day";q=1000;w=86400',
      ratelimit: '"runs-per-day";r=3;t=4000',
    });
  });

  it("reports the limit with the longest window among equally tight ones", () => {
    const state = [
      { ...requests, remaining: 0 },
      { ...runs, remaining: 0 },
    ];
    expect(rateLimitHeaders(state)["ratelimit"]).toBe('"runs-per-day";r=0;t=4000');
  });

  it("returns no headers where no limit applies", () => {
    expect(rateLimitHeaders([])).toEqual({});
  });
});
