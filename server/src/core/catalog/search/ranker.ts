import { addDocument, createInvertedIndex, removeDocument } from "./inverted-index.ts";
import { getLexicon } from "./lexicon/lexicon.ts";
import { parseQuery } from "./query.ts";
import { searchNear } from "./search-near.ts";
import { createScorer } from "./scorer.ts";
import { createShortlist } from "./shortlist.ts";
import { fieldsOf } from "./tool-fields.ts";
import type { SearchableTool } from "./tool-fields.ts";

export type { SearchableTool } from "./tool-fields.ts";

/** A match. Scores range from 0 to 1 and are comparable within one query. */
type RankedTool = { id: string; score: number };

/** Full-text search over tools. */
export type ToolRanker = {
  /** Adds a tool, or replaces the one with its id. */
  put(tool: SearchableTool): void;
  remove(id: string): void;
  /**
   * The best allowed tools first, ties by ID. If no tool shares a word with the query, returns tools whose names have
   * similar words: completions, or words with one letter wrong.
   */
  search(query: string, limit: number, isAllowed?: (id: string) => boolean): RankedTool[];
  size(): number;
  /** A measure of memory use, of about 30 bytes. */
  terms(): number;
};

type Entry = {
  id: string;
  name: string;
  slot: number;
  /** The terms of its name and title. */
  words: readonly string[];
};

/** About 240 MB, the terms of a hundred thousand tools. */
const defaultMaxTerms = 8_000_000;
const maxQueryCharacters = 2_000;

/** How many of the best are ranked again by what needs a look at each tool. */
const poolSize = 50;
/** Weight of the coverage of a name or description, relative to the best score. */
const coverageWeight = 0.15;
/** Matches below this share of the best score are dropped. */
const minShare = 0.4;

/**
 * Creates a ranker with an in-memory index and BM25F scoring. A score is relative to a tool of average length with every
 * query word in both name and description, and at most 1; so a low score is a weak match even if it is the best. The exact
 * name of a tool scores 1. Beyond `maxTerms`, only the names and titles of further tools are indexed.
 */
export function createBm25Ranker(maxTerms = defaultMaxTerms): ToolRanker {
  const index = createInvertedIndex();
  const scoreOf = createScorer(index);
  const entries = new Map<string, Entry>();
  const byName = new Map<string, Entry>();
  const bySlot: (Entry | undefined)[] = [];

  function remove(id: string): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    removeDocument(index, entry.slot);
    entries.delete(id);
    byName.delete(entry.name);
    bySlot[entry.slot] = undefined;
  }

  return {
    put(tool) {
      remove(tool.id);
      const { id, name } = tool;
      const fields = fieldsOf(tool, index.size < maxTerms);
      const words = [...new Set(fields.name)];
      const entry = { id, name, slot: addDocument(index, fields), words };
      entries.set(tool.id, entry);
      byName.set(name, entry);
      bySlot[entry.slot] = entry;
    },
    remove,
    search(query, limit, isAllowed = () => true) {
      const text = query.slice(0, maxQueryCharacters);
      const scores = scoreOf(parseQuery(text, getLexicon()));
      const named = byName.get(text.trim());
      const exact = named !== undefined && isAllowed(named.id) ? named : undefined;
      const pool = createShortlist<Entry>(Math.max(limit, poolSize));
      for (let slot = 0; slot < bySlot.length; slot += 1) {
        const score = scores.bySlot[slot] ?? 0;
        if (score <= 0 || score < pool.minScore()) continue;
        const entry = bySlot[slot];
        if (entry !== undefined && entry !== exact && isAllowed(entry.id)) pool.add(entry, score);
      }
      const top = pool.list()[0]?.score ?? 0;
      const best = createShortlist<Entry>(limit);
      if (exact !== undefined) best.add(exact, Infinity);
      for (const { item, score } of pool.list()) {
        const bonus = coverageWeight * top * scores.coverage(item.slot);
        best.add(item, score + bonus + scores.adjacency(item.slot));
      }
      const found = best.list();
      if (found.length === 0) return searchNear(entries.values(), text, limit, isAllowed);
      const floor = minShare * (found.find(({ score }) => score !== Infinity)?.score ?? 0);
      // Scores are capped after sorting, so that the cap creates no ties.
      return found
        .filter(({ score }) => score >= floor)
        .map(({ item, score }) => ({ id: item.id, score: Math.min(1, score / scores.ideal) }));
    },
    size: () => entries.size,
    terms: () => index.size,
  };
}
