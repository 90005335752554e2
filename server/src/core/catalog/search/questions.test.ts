import { join } from "node:path";
import { expect, it } from "vitest";
import { readCatalog, readJsonLines } from "#testing/search/dataset";
import type { LabeledQuery } from "#testing/search/dataset";
import { meanOf, rate, report } from "#testing/search/metrics";
import { createBm25Ranker } from "./ranker.ts";

const folder = join(import.meta.dirname, "../../../../testing/search/questions");

/** The lowest share of questions of a kind whose tool is first, and among the first five. */
const minHits: Record<string, [first: number, firstFive: number]> = {
  plain: [1, 1],
  synonym: [0.7, 0.95],
  question: [0.85, 0.95],
  need: [0.7, 0.9],
  "one word": [0.95, 1],
  polite: [0.95, 1],
  typo: [0.9, 0.95],
  "parts of words": [0.95, 1],
  details: [0.8, 0.95],
  German: [0.9, 0.9],
  Spanish: [0.9, 0.9],
  French: [0.9, 0.9],
  Japanese: [0.9, 0.9],
};

it("finds the tools for questions of each kind", () => {
  const ranker = createBm25Ranker();
  for (const tool of readCatalog(join(folder, "catalog.jsonl"))) ranker.put(tool);
  const queries = readJsonLines<LabeledQuery>(join(folder, "queries.jsonl"));
  const ratings = queries.map(({ query, relevant }) =>
    rate(
      relevant,
      ranker.search(query, 10).map(({ id }) => id),
    ),
  );
  const figures = report(queries, ratings);
  const failures = Object.entries(minHits).filter(([kind, [first, firstFive]]) => {
    const own = ratings.filter((_, index) => queries[index]?.group === kind);
    const { hit1, hit5 } = meanOf(own);
    return own.length < 10 || hit1 < first || hit5 < firstFive;
  });
  // Shows the figures of all kinds if one is too low.
  expect(failures.length === 0 ? [] : [failures, figures]).toEqual([]);
  expect(queries.length).toBeGreaterThanOrEqual(200);
});
