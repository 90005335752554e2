import { expect, it } from "vitest";
import { matchTerms } from "./match-terms.ts";
import { counted, forbidden } from "./terms.ts";

const terms = [...forbidden, ...counted].map((term) => [term.pattern, term] as const);

it.each(terms)("suggests no forbidden word instead of %s", (_, { use }) => {
  const found = [...matchTerms(use, "text")].filter(({ state }) => state !== "counted");
  expect(found).toEqual([]);
});

it.each(terms)("puts no quantifier on a space in %s", (_, { pattern }) => {
  expect(pattern).not.toMatch(/ [?*+{]/);
});
