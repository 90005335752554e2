import { analyzeQuery, analyzeText, wordsToMatch } from "./analyze.ts";
import { createBm25Scorer } from "./bm25.ts";
import { addDocument, createInvertedIndex, removeDocument, type Fields } from "./inverted-index.ts";
import { wordSimilarity } from "./word-similarity.ts";
import { schemaText } from "./schema-text.ts";

/** The fields of a tool that are searched. */
export type SearchableTool = {
  id: string;
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
};

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
  /** Number of terms of all tools; a measure of memory use. */
  terms(): number;
};

type Entry = {
  id: string;
  name: string;
  slot: number;
  /** The terms of its name and title. */
  words: readonly string[];
};

/** About 100 MB, several times the terms of a thousand typical tools. */
const defaultMaxTerms = 500_000;
const maxQueryCharacters = 2_000;
const maxTextCharacters = 20_000;

/** Caps the score of similar words, which are always a weak match. */
const nearWeight = 0.5;
/** Comparing letters takes longer than looking up words, so it is bounded. */
const maxNearWords = 5;
const maxNearTools = 5_000;

/** The random suffix of a tool name. Without a digit it may be a word, so it is not removed. */
const nameSuffix = /_(?=[a-z]*\d)[a-z0-9]{4}$/;

/**
 * Creates a ranker with an in-memory index and BM25F scoring. A score is relative to a tool of average length with every
 * query word in both name and description, and at most 1; so a low score is a weak match even if it is the best. The exact
 * name of a tool scores 1. Beyond `maxTerms`, only the names and titles of further tools are indexed.
 */
export function createBm25Ranker(maxTerms = defaultMaxTerms): ToolRanker {
  const index = createInvertedIndex();
  const scoreOf = createBm25Scorer(index);
  const entries = new Map<string, Entry>();
  const bySlot: (Entry | undefined)[] = [];

  function remove(id: string): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    removeDocument(index, entry.slot);
    entries.delete(id);
    bySlot[entry.slot] = undefined;
  }

  /** Search as you type, tolerating typing errors. */
  function searchNear(query: string, limit: number, isAllowed: (id: string) => boolean) {
    const typed = wordsToMatch(query).slice(0, maxNearWords);
    const best = createShortlist(limit);
    if (typed.length === 0) return [];
    for (const { id, words } of [...entries.values()].slice(-maxNearTools)) {
      const likeness = typed.map((forms) =>
        Math.max(0, ...words.flatMap((word) => forms.map((form) => wordSimilarity(form, word)))),
      );
      // Every word has to match: one similar word of several is a coincidence.
      if (likeness.includes(0)) continue;
      const score = (nearWeight * likeness.reduce((sum, one) => sum + one, 0)) / typed.length;
      if (best.wants(id, score) && isAllowed(id)) best.add(id, score);
    }
    return best.list();
  }

  return {
    put(tool) {
      remove(tool.id);
      const { id, name } = tool;
      const fields = fieldsOf(tool, index.size < maxTerms);
      const words = [...new Set(fields.name)];
      const entry = { id, name, slot: addDocument(index, fields), words };
      entries.set(tool.id, entry);
      bySlot[entry.slot] = entry;
    },
    remove,
    search(query, limit, isAllowed = () => true) {
      const text = query.slice(0, maxQueryCharacters);
      const scores = scoreOf(analyzeQuery(text));
      const exactName = text.trim();
      const best = createShortlist(limit);
      for (const entry of bySlot) {
        if (entry === undefined) continue;
        const score = entry.name === exactName ? Infinity : (scores.bySlot[entry.slot] ?? 0);
        if (score > 0 && best.wants(entry.id, score) && isAllowed(entry.id))
          best.add(entry.id, score);
      }
      const found = best.list();
      if (found.length === 0) return searchNear(text, limit, isAllowed);
      // Scores are capped after sorting, so that the cap creates no ties.
      return found.map(({ id, score }) => ({ id, score: Math.min(1, score / scores.ideal) }));
    },
    size: () => entries.size,
    terms: () => index.size,
  };
}

function namesOf(tool: SearchableTool): string[] {
  const title = analyzeText(tool.title.slice(0, maxTextCharacters));
  const titleTerms = new Set(title);
  // A name is derived from the first title, so only its additional terms count.
  const name = analyzeText(tool.name.replace(nameSuffix, "")).filter(
    (term) => !titleTerms.has(term),
  );
  return [...title, ...name];
}

function fieldsOf(tool: SearchableTool, isWhole: boolean): Fields {
  const name = namesOf(tool);
  if (!isWhole) return { name, description: [], parameterNames: [], parameterDescriptions: [] };
  const parameters = schemaText(tool.inputSchema);
  return {
    name,
    description: analyzeText(tool.description.slice(0, maxTextCharacters)),
    parameterNames: analyzeText(parameters.names),
    parameterDescriptions: analyzeText(parameters.descriptions),
  };
}

/** Collects the best few in order, so that every other candidate costs one comparison. */
function createShortlist(limit: number) {
  const kept: RankedTool[] = [];
  const isBefore = (left: RankedTool, right: RankedTool) =>
    left.score > right.score || (left.score === right.score && left.id < right.id);

  return {
    wants(id: string, score: number): boolean {
      if (kept.length < limit) return true;
      const worst = kept.at(-1);
      return worst !== undefined && isBefore({ id, score }, worst);
    },
    add(id: string, score: number): void {
      const tool = { id, score };
      const place = kept.findIndex((other) => isBefore(tool, other));
      kept.splice(place < 0 ? kept.length : place, 0, tool);
      if (kept.length > limit) kept.pop();
    },
    list: () => kept,
  };
}
