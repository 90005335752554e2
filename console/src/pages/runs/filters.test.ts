import { describe, expect, test } from "vitest";
import { queryOf } from "./filters.ts";
import { messages } from "./messages.ts";
import { validateRunsSearch } from "./search.ts";

const minute = Date.UTC(2030, 0, 2, 12) / 60_000;

describe("queryOf", () => {
  test("returns only the filters of the URL", () => {
    const search = { status: "failed", via: "", q: "  hello ", tab: "x", userId: "me" };
    expect(queryOf(search, minute)).toEqual({ status: "failed", q: "hello", userId: "me" });
  });

  test("converts a period to a time, and passes a time through", () => {
    expect(queryOf({ since: "24h" }, minute)).toEqual({ since: "2030-01-01T12:00:00.000Z" });
    const exact = { since: "2029-12-31T00:00:00Z" };
    expect(queryOf(exact, minute)).toEqual(exact);
  });
});

describe("validateRunsSearch", () => {
  test("accepts only sources that runs can have", () => {
    const sources = ["console", "rest", "mcp", "bot"];
    expect(Object.keys(messages.filters.sources)).toEqual(sources);
    expect(sources.map((via) => validateRunsSearch({ via }).via)).toEqual(sources);
    expect(validateRunsSearch({ via: "schedule" }).via).toBeUndefined();
  });
});
