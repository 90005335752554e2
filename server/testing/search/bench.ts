import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { createBm25Ranker, ToolRanker } from "../../src/core/catalog/search/ranker.ts";
import { createSyntheticText } from "./synthetic-tools.ts";

const usage = `Usage: npm run bench:search -- [--tools N,N] [--baseline FILE]

Measures the search index: heap, time to index, and the times of queries, in milliseconds.

  --tools N,N      sizes of the catalog (1000,10000,100000)
  --baseline FILE  ranker.ts of another version, measured in turn with this one
`;

type Create = typeof createBm25Ranker;
type Text = ReturnType<typeof createSyntheticText>;

const queryCount = 40;
const saveCount = 20;
/** A service that has run for some minutes has optimized code. */
const warmRounds = 10;
/** No tool has these words or similar ones, so that every search for them compares letters. */
const unknownQueries = ["weather", "currency converter", "a database of recipes and menus"].map(
  (query) => Array.from(query).toReversed().join(""),
);

const { values } = parseArgs({
  options: {
    tools: { type: "string", default: "1000,10000,100000" },
    baseline: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}

const own = `${import.meta.dirname}/../../src/core/catalog/search/ranker.ts`;
for (const size of values.tools.split(",").map(Number)) {
  for (const path of [own, ...(values.baseline === undefined ? [] : [values.baseline])]) {
    const { createBm25Ranker: create } = (await import(pathToFileURL(resolve(path)).href)) as {
      createBm25Ranker: Create;
    };
    const figures = Object.entries(measure(create, size)).map(
      ([name, value]) => `${name} ${value.toFixed(2)}`,
    );
    const name = path === own ? "current" : "baseline";
    process.stdout.write(`${name.padEnd(9)} ${String(size).padStart(6)}  ${figures.join("  ")}\n`);
  }
}

function measure(create: Create, size: number): Record<string, number> {
  const text = createSyntheticText();
  const before = heapMb();
  const ranker = create(Infinity);
  const puts = Array.from({ length: size }, (_, id) => timeOf(() => ranker.put(text.tool(id))));
  const heap = heapMb() - before;
  const short = queriesOf(text, 2, 3);
  const long = queriesOf(text, 30, 60);
  const run = (queries: readonly string[]) =>
    queries.map((query) => timeOf(() => ranker.search(query, 10)));
  // The first runs compile the code and compute what is cached.
  const coldTimes = run([...short, ...long]).slice(queryCount / 2);
  for (let round = 0; round < warmRounds; round++) run([...short, ...long]);
  const shortTimes = run(short);
  const longTimes = run(long);
  return {
    heapMb: heap,
    putP50: median(puts),
    putMax: Math.max(...puts.slice(100)),
    shortP50: median(shortTimes),
    longP50: median(longTimes),
    coldMax: Math.max(...coldTimes),
    searchMax: Math.max(...shortTimes, ...longTimes),
    unknownMax: Math.max(...run(unknownQueries)),
    ...measureSaves(ranker, text, short),
  };
}

/** Each save changes a tool; the search after it has to see the change. */
function measureSaves(ranker: ToolRanker, text: Text, queries: readonly string[]) {
  const times = Array.from({ length: saveCount }, (_, round) => {
    const tool = text.tool(round * 17);
    return timeOf(() => {
      ranker.put(tool);
      ranker.search(queries[round % queries.length] ?? "", 10);
    });
  });
  return { saveP50: median(times), saveMax: Math.max(...times) };
}

function queriesOf({ sentence }: Text, min: number, max: number): string[] {
  return Array.from({ length: queryCount }, () => sentence(min, max));
}

function timeOf(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
}

function heapMb(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1_000_000;
}
