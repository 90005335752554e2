import { analyzeQuery, analyzeText, wordsToCompare } from "./analyze.ts";
import { createBm25Scorer } from "./bm25.ts";
import { addDocument, createInvertedIndex, removeDocument, type Fields } from "./inverted-index.ts";
import { likenessOf } from "./near-words.ts";
import { schemaText } from "./schema-text.ts";

/** What a search looks at in a tool. */
export type SearchableTool = {
  id: string;
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
};

/** A tool that was found. Scores run from 0 to 1 and compare within one query. */
type RankedTool = { id: string; score: number };

/** Finds tools by what they say of themselves. */
export type ToolRanker = {
  /** Adds a tool, or replaces the one with its id. */
  put(tool: SearchableTool): void;
  remove(id: string): void;
  /**
   * The best tools first, ties by id, and only allowed ones. Where none shares a word with the query, those come whose name has
   * words like all of its: begun, or mistyped by a letter.
   */
  search(query: string, limit: number, isAllowed?: (id: string) => boolean): RankedTool[];
  size(): number;
  /** Terms of all tools: what the index takes of memory. */
  terms(): number;
};

type Entry = {
  id: string;
  name: string;
  slot: number;
  /** The words of its name and title, as terms. */
  words: readonly string[];
};

/** Some 100 MB, and several times what a thousand usual tools have. */
const defaultMaxTerms = 500_000;
const maxQueryCharacters = 2_000;
const maxTextCharacters = 20_000;

/** What is merely like the query is a weak match, whatever the likeness. */
const nearWeight = 0.5;
/** Comparing letters takes longer than looking words up, so it is bounded. */
const maxNearWords = 5;
const maxNearTools = 5_000;

/** The random suffix that ends a tool's name. Without a digit it may be a word, so it stays. */
const nameSuffix = /_(?=[a-z]*\d)[a-z0-9]{4}$/;

/**
 * Makes a ranker that holds its index in memory and scores with BM25F. A score is the share, at most 1,
 * of what a tool of average length gets with every word of the query in its name and description, so a
 * low one is a weak match even when it is the best. Asking for a tool by its exact name scores 1. Beyond `maxTerms`,
 * tools are found by their names and titles only.
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

  /** For people who search as they type, and those who mistype. */
  function searchNear(query: string, limit: number, isAllowed: (id: string) => boolean) {
    const typed = wordsToCompare(query).slice(0, maxNearWords);
    const best = createShortlist(limit);
    if (typed.length === 0) return [];
    for (const { id, words } of [...entries.values()].slice(-maxNearTools)) {
      const likeness = typed.map((forms) =>
        Math.max(0, ...words.flatMap((word) => forms.map((form) => likenessOf(form, word)))),
      );
      // One word of several that is like something is an accident.
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
      // The cut at 1 comes last, so that it makes no ties.
      return found.map(({ id, score }) => ({ id, score: Math.min(1, score / scores.ideal) }));
    },
    size: () => entries.size,
    terms: () => index.size,
  };
}

function namesOf(tool: SearchableTool): string[] {
  const title = analyzeText(tool.title.slice(0, maxTextCharacters));
  const titleTerms = new Set(title);
  // A name is made from the title it had at first: count only what it adds.
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

/** Keeps the best few, sorted, so that whoever is not among them costs one comparison. */
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
