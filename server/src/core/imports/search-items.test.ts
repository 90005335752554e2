import { describe, expect, it } from "vitest";
import { createMatcher, toSearchText } from "./search-items.ts";

const text = toSearchText({
  key: "GET /repos/{owner}/pets",
  name: "repos/listZoo",
  hash: "",
  title: "List the pets",
  description: "Shows animals of a repository.",
  tags: ["Zoo"],
  isDeprecated: false,
  schemaBytes: 0,
  security: [],
  problem: null,
});

describe("createMatcher", () => {
  it.each([
    ["get /repos/{owner}/pets", 0],
    ["/repos/{owner}/pets", 0],
    ["REPOS/listZoo", 0],
    ["list the pets", 0],
    ["list pet", 1],
    ["listZo", 1],
    ["zoo", 1],
    ["animals", 2],
    ["ets list", 2],
    ["cars", undefined],
    ["pets cars", undefined],
    ["", 0],
  ])("ranks %j as %s", (query, rank) => {
    expect(createMatcher(query)(text)).toBe(rank);
  });
});
