import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { createBm25Ranker } from "../../src/core/catalog/search/ranker.ts";
import { readCatalog, readJsonLines } from "./dataset.ts";
import type { LabeledQuery } from "./dataset.ts";
import { embedCatalog } from "./embedded-search.ts";
import { meanOf, rate, report } from "./metrics.ts";

const usage = `Usage: npm run eval:search -- [--catalog FILE --queries FILE] [--rankings FILE]

Indexes the tools of a catalog as the service does, ranks them for each query, and prints the quality.
Without files, measures the questions in server/testing/search/questions.
With EMBEDDINGS_URL and EMBEDDINGS_MODEL (docs/reference/configuration.md), meaning counts as well.

  --catalog FILE   JSON Lines: {name, title?, description?, inputSchema?}
  --queries FILE   JSON Lines: {query, relevant: [names], group?}
  --rankings FILE  write JSON Lines: {query_index, ranked: [names]}
  --ranker FILE    measure another ranker.ts, such as that of an earlier version
`;

const maxRanked = 50;

const { values } = parseArgs({
  options: {
    catalog: { type: "string" },
    queries: { type: "string" },
    rankings: { type: "string" },
    ranker: { type: "string" },
  },
});
// Queries are about the tools of one catalog.
if ((values.catalog === undefined) !== (values.queries === undefined)) {
  process.stderr.write(usage);
  process.exit(2);
}
const own = `${import.meta.dirname}/questions`;
const {
  catalog: catalogFile = `${own}/catalog.jsonl`,
  queries: queriesFile = `${own}/queries.jsonl`,
} = values;

const module = values.ranker ?? `${import.meta.dirname}/../../src/core/catalog/search/ranker.ts`;
const { createBm25Ranker: create } = (await import(pathToFileURL(resolve(module)).href)) as {
  createBm25Ranker: typeof createBm25Ranker;
};
const ranker = create();
const catalog = readCatalog(catalogFile);
for (const tool of catalog) ranker.put(tool);
const similarTo = await embedCatalog(catalog);

const queries = readJsonLines<LabeledQuery>(queriesFile);
const rankings: string[][] = [];
for (const { query } of queries) {
  const found = ranker.search(query, maxRanked, undefined, await similarTo(query));
  rankings.push(found.map(({ id }) => id));
}
if (values.rankings !== undefined) {
  const lines = rankings.map((ranked, index) => JSON.stringify({ query_index: index, ranked }));
  writeFileSync(values.rankings, `${lines.join("\n")}\n`);
}
const ratings = queries.map(({ relevant }, index) => rate(relevant ?? [], rankings[index] ?? []));
const { ndcg10, recall5 } = meanOf(ratings);
const summary = `NDCG@10 ${ndcg10.toFixed(3)}  Recall@5 ${recall5.toFixed(3)}`;
process.stdout.write(`${report(queries, ratings)}${summary}\n`);
