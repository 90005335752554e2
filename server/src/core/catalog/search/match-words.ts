import type { ParsedQuery } from "./query.ts";
import type { createScorer } from "./scorer.ts";
import { preferOlder } from "./prefer-older.ts";
import { searchNear } from "./search-near.ts";
import { createShortlist } from "./shortlist.ts";
import type { Match, ToolEntry, ToolLayer } from "./tool-layer.ts";

/** Matches, the score of a perfect one, and the share of the best score below which they are dropped. */
export type Matches = { matches: readonly Match[]; ideal: number; minShare: number };

export type MatchOptions = {
  query: ParsedQuery;
  text: string;
  /** How many matches to return if there are as many. */
  count: number;
  /** A tool that is left out. */
  except: ToolEntry | undefined;
};

/** Weight of the coverage of a name or description, relative to the best score. */
const coverageWeight = 0.15;
export const minShare = 0.4;

/** The tools of the layers that share most words with a query; if none does, those whose names have similar words. */
export function matchWords(
  scoreOf: ReturnType<typeof createScorer>,
  layers: readonly ToolLayer[],
  { query, text, count, except }: MatchOptions,
): Matches {
  const scores = scoreOf(query, layers);
  const pool = createShortlist<ToolEntry>(count);
  for (const [layer, { bySlot }] of layers.entries()) {
    const sums = scores.layers[layer]?.bySlot ?? [];
    for (let slot = 0; slot < sums.length; slot += 1) {
      const score = sums[slot] ?? 0;
      if (score <= 0 || score < pool.minScore()) continue;
      const entry = bySlot[slot];
      if (entry !== undefined && entry !== except) pool.add(entry, score);
    }
  }
  const [best] = pool.list();
  if (best === undefined && except === undefined)
    return { matches: searchNear(layers, text, count), ideal: 1, minShare: 0 };
  // What needs a look at each tool is computed for the best ones only.
  const layerOf = ({ isShared }: ToolEntry) => scores.layers[isShared ? 0 : 1];
  const covered = pool.list().map(({ item, score }) => {
    const coverage = layerOf(item)?.coverage(item.slot) ?? 0;
    return { item, score: score + coverageWeight * (best?.score ?? 0) * coverage };
  });
  const matches = preferOlder(covered, (tool) => layerOf(tool)?.matched(tool.slot) ?? new Set());
  const adjacency = (tool: ToolEntry) => layerOf(tool)?.adjacency(tool.slot) ?? 0;
  return {
    matches: matches.map(({ item, score }) => ({ item, score: score + adjacency(item) })),
    ideal: scores.ideal,
    minShare,
  };
}
