import { join } from "node:path";
import { expect, it } from "vitest";
import { readCatalog, readJsonLines } from "#testing/search/dataset";
import type { LabeledQuery } from "#testing/search/dataset";
import { createBm25Ranker } from "../catalog/search/ranker.ts";
import { isClearlyAhead, isWeak } from "./clear-match.ts";

const folder = join(import.meta.dirname, "../../../testing/search/questions");
/** As many as an agent gets. */
const matches = 3;

const catalog = readCatalog(join(folder, "catalog.jsonl"));
const questions = readJsonLines<LabeledQuery>(join(folder, "queries.jsonl"));

it("is right about the match that it shows alone in 97 of 100 questions", () => {
  const ranker = createBm25Ranker();
  for (const tool of catalog) ranker.put(tool);
  const clear = questions.flatMap(({ query, relevant }) => {
    const found = ranker.search(query, matches);
    const [best] = found;
    return best !== undefined && isClearlyAhead(found) ? [relevant.includes(best.id)] : [];
  });
  expect(clear.length).toBeGreaterThanOrEqual(30);
  expect(clear.filter(Boolean).length / clear.length).toBeGreaterThanOrEqual(0.97);
});

it("calls matches weak more often for questions that no tool answers", () => {
  const shareOfWeak = (isAnswered: boolean) => {
    const weak = questions.filter(({ query, relevant }) => {
      const ranker = createBm25Ranker();
      for (const tool of catalog) if (isAnswered || !relevant.includes(tool.id)) ranker.put(tool);
      return isWeak(ranker.search(query, matches));
    });
    return weak.length / questions.length;
  };
  expect(shareOfWeak(true)).toBeLessThan(0.25);
  expect(shareOfWeak(false)).toBeGreaterThan(0.6);
});
