import { minShare } from "./match-words.ts";
import type { Matches } from "./match-words.ts";
import type { Match, ToolEntry } from "./tool-layer.ts";

/** Tools that are similar in meaning to a query. */
export type SimilarTools = {
  /** The most similar ones. */
  ids: readonly string[];
  /** How related a tool is to the query, from 0 to 1. */
  relatednessOf(id: string): number;
};

/** What a tool scores for its meaning at most, relative to a perfect match of words. */
const meaningWeight = 0.25;
/** The same if no tool shares a word with the query: still a weak match. */
const onlyMeaningWeight = 0.5;

/** Every query is related to some tool a little. */
const minRelatedness = 0.25;

/** Whether a tool is found by its meaning alone. */
export function isRelated(similar: SimilarTools, id: string): boolean {
  return similar.relatednessOf(id) >= minRelatedness;
}

/** Adds the scores of meaning to those of words, and the tools that match by meaning only. */
export function addSimilar(
  { matches, ideal }: Matches,
  similar: SimilarTools,
  findTool: (id: string) => ToolEntry | undefined,
): Matches {
  // A query of nothing but values has no perfect match.
  const unit = ideal > 0 ? ideal : Math.max(1, ...matches.map(({ score }) => score));
  const weight = unit * (matches.length === 0 ? onlyMeaningWeight : meaningWeight);
  const known = new Set(matches.map(({ item }) => item.id));
  const others = similar.ids.flatMap((id): Match[] => {
    if (known.has(id) || !isRelated(similar, id)) return [];
    const item = findTool(id);
    return item === undefined ? [] : [{ item, score: 0 }];
  });
  const added = [...matches, ...others].map(({ item, score }) => ({
    item,
    score: score + weight * similar.relatednessOf(item.id),
  }));
  return { matches: added.filter(({ score }) => score > 0), ideal: unit, minShare };
}
