import { join } from "node:path";
import { expect, it } from "vitest";
import { readCatalog, readJsonLines } from "#testing/search/dataset";
import type { LabeledQuery } from "#testing/search/dataset";
import { createBm25Ranker } from "../catalog/search/ranker.ts";
import { isClearlyAhead } from "./clear-match.ts";

const folder = join(import.meta.dirname, "../../../testing/search/questions");
/** As many as an agent gets. */
const matches = 3;

it("is right about the match that it shows alone in 97 of 100 questions", () => {
  const ranker = createBm25Ranker();
  for (const tool of readCatalog(join(folder, "catalog.jsonl"))) ranker.put(tool);
  const clear = readJsonLines<LabeledQuery>(join(folder, "queries.jsonl")).flatMap(
    ({ query, relevant }) => {
      const found = ranker.search(query, matches);
      const [best] = found;
      return best !== undefined && isClearlyAhead(found) ? [relevant.includes(best.id)] : [];
    },
  );
  expect(clear.length).toBeGreaterThanOrEqual(30);
  expect(clear.filter(Boolean).length / clear.length).toBeGreaterThanOrEqual(0.97);
});
