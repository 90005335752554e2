import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { createBm25Ranker, SearchableTool } from "../../src/core/catalog/search/ranker.ts";
import { readCatalog, readJsonLines } from "./dataset.ts";
import type { LabeledQuery } from "./dataset.ts";
import { createRandom } from "./random.ts";

const usage = `Usage: node server/testing/search/pick-rule.ts --data FOLDER... [--ranker FILE]

Measures when the best match is clear enough to offer it alone, in workspaces of random tools. Each
folder has catalog.jsonl and queries.jsonl. Printed for each minimum of the score and of its lead over
the next match: the share of queries with a clear match, the share of these that is right, and the
share of queries with a clear match although no tool fits.
`;

type Sample = { score: number; lead: number; isRight: boolean; isFitting: boolean };
type Create = typeof createBm25Ranker;

const sizes = [20, 100, 400];
const workspaces = 12;
const minScores = [0.25, 0.3, 0.35, 0.4, 0.45, 0.5];
const minLeads = [1.3, 1.4, 1.5, 1.6, 1.8];

const { values } = parseArgs({
  options: { data: { type: "string", multiple: true }, ranker: { type: "string" } },
});
if (values.data === undefined) {
  process.stderr.write(usage);
  process.exit(2);
}
const module = values.ranker ?? `${import.meta.dirname}/../../src/core/catalog/search/ranker.ts`;
const { createBm25Ranker: create } = (await import(pathToFileURL(resolve(module)).href)) as {
  createBm25Ranker: Create;
};
const random = createRandom();
for (const size of sizes) {
  const samples = values.data.map((folder) => {
    const catalog = readCatalog(`${folder}/catalog.jsonl`);
    const queries = readJsonLines<LabeledQuery>(`${folder}/queries.jsonl`);
    return Array.from({ length: workspaces }, () => sample(catalog, queries, size)).flat();
  });
  process.stdout.write(`${size} tools\n`);
  for (const minScore of minScores) {
    const cells = minLeads.map((minLead) => describe(samples, minScore, minLead));
    process.stdout.write(`  score ${minScore.toFixed(2)}  ${cells.join("   ")}\n`);
  }
}

/** A workspace with the tools for some queries among others, and as many queries that no tool fits. */
function sample(
  catalog: readonly SearchableTool[],
  queries: readonly LabeledQuery[],
  size: number,
): Sample[] {
  const shuffled = shuffle(queries);
  const fitting = shuffled.slice(0, Math.ceil(Math.sqrt(size)));
  const tools = new Set(fitting.flatMap(({ relevant }) => relevant));
  for (const { id } of shuffle(catalog)) if (tools.size < size) tools.add(id);
  const ranker = create();
  for (const tool of catalog) if (tools.has(tool.id)) ranker.put(tool);
  const others = shuffled
    .slice(fitting.length)
    .filter(({ relevant }) => relevant.every((name) => !tools.has(name)))
    .slice(0, fitting.length * 2);
  return [...fitting, ...others].map(({ query, relevant }, index) => {
    const [best, next] = ranker.search(query, 4);
    return {
      score: best?.score ?? 0,
      lead: (best?.score ?? 0) / (next?.score ?? 0.001),
      isRight: best !== undefined && relevant.includes(best.id),
      isFitting: index < fitting.length,
    };
  });
}

function describe(folders: readonly Sample[][], minScore: number, minLead: number): string {
  const isClear = ({ score, lead }: Sample) => score >= minScore && lead >= minLead;
  const rates = folders.map((samples) => {
    const fitting = samples.filter(({ isFitting }) => isFitting);
    const others = samples.filter(({ isFitting }) => !isFitting);
    const clear = fitting.filter(isClear);
    return [
      clear.length / fitting.length,
      clear.filter(({ isRight }) => isRight).length / Math.max(1, clear.length),
      others.filter(isClear).length / Math.max(1, others.length),
    ];
  });
  const means = [0, 1, 2].map(
    (at) => rates.reduce((sum, rate) => sum + (rate[at] ?? 0), 0) / rates.length,
  );
  return `${minLead}: ${means.map((mean) => (mean * 100).toFixed(1)).join("/")}`;
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
}
