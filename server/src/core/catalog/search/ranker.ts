import { createBm25 } from "./bm25.ts";
import { createExplainer } from "./explain.ts";
import type { MatchReason } from "./explain.ts";
import { addSimilar } from "./add-similar.ts";
import type { SimilarTools } from "./add-similar.ts";
import { getLexicon } from "./lexicon/lexicon.ts";
import { parseQuery } from "./query.ts";
import { matchWords } from "./match-words.ts";
import { createScorer } from "./scorer.ts";
import { createShortlist } from "./shortlist.ts";
import type { SearchableTool } from "./tool-fields.ts";
import { createToolLayers } from "./tool-layers.ts";
import type { ToolEntry } from "./tool-layer.ts";

export type { SearchableTool } from "./tool-fields.ts";

/** A match. Scores range from 0 to 1 and are comparable within one query. */
type RankedTool = { id: string; score: number };

/** Full-text search over tools. */
export type ToolRanker = {
  /** Adds a tool, or replaces the one with its id. Only searches of its owner find it, if it has one. */
  put(tool: SearchableTool, owner?: string | null): void;
  remove(id: string): void;
  /**
   * The best tools that a user may see first, ties by ID. If no tool shares a word with the query, returns tools whose
   * names have similar words: completions, or words with one letter wrong. Tools that are similar in meaning are found too,
   * and score higher if they also share words.
   */
  search(query: string, limit: number, user?: string, similar?: SimilarTools): RankedTool[];
  /** Why a user's query finds tools, for a tool as it was put: the words that match, those that add most first. */
  explain(query: string, user?: string): (tool: SearchableTool) => MatchReason[];
  /** Whether everyone in the workspace sees a tool. */
  isShared(id: string): boolean;
  size(): number;
  /** A measure of memory use, of about 30 bytes. */
  terms(): number;
};

/** About 240 MB, the terms of a hundred thousand tools. */
const defaultMaxTerms = 8_000_000;
const maxQueryCharacters = 2_000;

/** How many of the best are ranked again by what needs a look at each tool. */
const poolSize = 50;

/**
 * Creates a ranker with in-memory indexes and BM25F scoring. A score is relative to a tool of average length with every
 * query word in both name and description, and at most 1; so a low score is a weak match even if it is the best. The exact
 * name of a tool scores 1. Beyond `maxTerms`, only the names and titles of further tools are indexed.
 *
 * Tools that everyone sees are in one layer, and those of each owner in another. A search covers the first and its user's
 * own, and scores both by the statistics of the first, so other users' tools change neither results, scores nor times.
 */
export function createBm25Ranker(maxTerms = defaultMaxTerms): ToolRanker {
  const layers = createToolLayers(maxTerms);
  const bm25 = createBm25(layers.shared.index);
  const scoreOf = createScorer(bm25);
  return {
    put: (tool, owner = null) => layers.put(tool, owner),
    remove: layers.remove,
    search(query, limit, user, similar) {
      const searched = layers.seenBy(user);
      const text = query.slice(0, maxQueryCharacters);
      const exact = searched.map(({ byName }) => byName.get(text.trim())).find(Boolean);
      const byWords = matchWords(scoreOf, searched, {
        query: parseQuery(text, getLexicon()),
        text,
        count: Math.max(limit, poolSize),
        except: exact,
      });
      const findOther = (id: string) =>
        id === exact?.id ? undefined : searched.map(({ entries }) => entries.get(id)).find(Boolean);
      const found = similar === undefined ? byWords : addSimilar(byWords, similar, findOther);
      const best = createShortlist<ToolEntry>(limit);
      if (exact !== undefined) best.add(exact, Infinity);
      for (const { item, score } of found.matches) best.add(item, score);
      const ranked = best.list();
      const floor = found.minShare * (ranked.find(({ score }) => score !== Infinity)?.score ?? 0);
      // Scores are capped after sorting, so that the cap creates no ties.
      return ranked
        .filter(({ score }) => score >= floor)
        .map(({ item, score }) => ({ id: item.id, score: Math.min(1, score / found.ideal) }));
    },
    explain: (query, user) =>
      createExplainer(layers.seenBy(user), bm25, query.slice(0, maxQueryCharacters)),
    isShared: layers.isShared,
    size: layers.size,
    terms: layers.terms,
  };
}
