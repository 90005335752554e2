import { createHash } from "node:crypto";
import type { MatchReason } from "@toolhost/contract";
import { yieldToEventLoop } from "#lib/event-loop";
import type { SimilarTools } from "../search/add-similar.ts";
import { minShare } from "../search/match-words.ts";
import { createBm25Ranker } from "../search/ranker.ts";
import type { SearchableTool, ToolRanker } from "../search/ranker.ts";

/** A search that led to a run of a tool. */
export type LearnedSearch = { userId: string; terms: string; words: string; toolId: string };

type Ranked = ReturnType<ToolRanker["search"]>;

/** What a workspace's own searches say about its tools. */
export type LearnedRanker = {
  /** Adds what the workspace has learned to the matches of its index. */
  search: ToolRanker["search"];
  /** Which words of a query led people to a tool. */
  explain(query: string): (toolId: string) => MatchReason[];
  /** Whether what was learned is used: it is not if it makes searches worse that it was not learned from. */
  isUsed: boolean;
};

/** A word counts only if this many people found the tool with it, so that no one alone decides. */
const minPeople = 2;
const maxOfPersonAndTool = 20;
const maxWordsOfTool = 50;
/** Relative to a match of all words in the texts of a tool. */
const learnedWeight = 0.4;
/** One of so many queries is not learned from, but used to measure. */
const heldOutOf = 5;
const maxMeasured = 200;
const maxReasons = 3;
const poolSize = 50;
/** Without words, and different from every query, which is trimmed: an ID has words such as "42" and "ab". */
const name = " ";

/**
 * Builds a second index, of the words that led people to tools, next to the index of the tools' own texts. Deterministic:
 * which queries are held out depends on their words only.
 */
export async function createLearnedRanker(
  base: ToolRanker,
  searches: readonly LearnedSearch[],
): Promise<LearnedRanker | undefined> {
  const known = searches.filter(({ toolId }) => base.isShared(toolId));
  const learned = createBm25Ranker();
  const tools = new Map<string, SearchableTool>();
  const training = known.filter(({ terms }) => !isHeldOut(terms));
  for (const [id, own] of Map.groupBy(training, ({ toolId }) => toolId)) {
    const description = wordsOf(own).join(" ");
    if (description !== "") {
      const tool = { id, name, title: "", description, inputSchema: {} };
      tools.set(id, tool);
      learned.put(tool);
    }
    await yieldToEventLoop();
  }
  if (tools.size === 0) return undefined;
  const search: LearnedRanker["search"] = (query, limit, user, similar) =>
    combine(base, learned, { query, limit, user, similar });
  const held = known.filter(({ terms }) => isHeldOut(terms));
  const explain: LearnedRanker["explain"] = (query) => {
    const reasonsOf = learned.explain(query);
    return (id) => {
      const tool = base.isShared(id) ? tools.get(id) : undefined;
      return tool === undefined ? [] : toLearned(reasonsOf(tool));
    };
  };
  return { search, explain, isUsed: await doesHelp(base, search, held) };
}

function toLearned(reasons: readonly MatchReason[]): MatchReason[] {
  return reasons
    .filter(({ fields }) => fields.includes("description"))
    .slice(0, maxReasons)
    .map(({ word, matched }) => ({ word, matched, through: "learned", fields: [] }));
}

/** The words of a tool's searches that enough people used, most people first. */
function wordsOf(searches: readonly LearnedSearch[]): string[] {
  const people = new Map<string, Set<string>>();
  for (const [userId, own] of Map.groupBy(searches, (one) => one.userId)) {
    for (const { words } of own.slice(0, maxOfPersonAndTool)) {
      for (const word of words.split(" ")) {
        people.set(word, (people.get(word) ?? new Set()).add(userId));
      }
    }
  }
  return [...people]
    .filter(([, users]) => users.size >= minPeople)
    .toSorted(([one, some], [other, others]) => others.size - some.size || (one < other ? -1 : 1))
    .slice(0, maxWordsOfTool)
    .map(([word]) => word);
}

type Search = {
  query: string;
  limit: number;
  user: string | undefined;
  similar: SimilarTools | undefined;
};

function combine(
  base: ToolRanker,
  learned: ToolRanker,
  { query, limit, user, similar }: Search,
): Ranked {
  const found = base.search(query, Math.max(limit, poolSize), user, similar);
  const scores = new Map(found.map(({ id, score }) => [id, score]));
  for (const { id, score } of learned.search(query, poolSize)) {
    // A tool may have become private or been archived since.
    if (base.isShared(id)) scores.set(id, (scores.get(id) ?? 0) + learnedWeight * score);
  }
  const sorted = [...scores]
    .map(([id, score]) => ({ id, score }))
    .toSorted((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1));
  const floor = minShare * (sorted[0]?.score ?? 0);
  return sorted
    .filter(({ score }) => score >= floor)
    .slice(0, limit)
    .map(({ id, score }) => ({ id, score: Math.min(1, score) }));
}

/**
 * Whether held-out queries find the tool that was run at least as well, by the mean of reciprocal ranks of each person, so
 * that many queries of one person do not outweigh those of others.
 */
async function doesHelp(
  base: ToolRanker,
  search: LearnedRanker["search"],
  held: readonly LearnedSearch[],
): Promise<boolean> {
  const people = [...Map.groupBy(held, ({ userId }) => userId)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, maxMeasured);
  let gain = 0;
  for (const [, own] of people) {
    const cases = casesOf(own).slice(0, Math.floor(maxMeasured / people.length));
    for (const { words, toolId } of cases) {
      const before = reciprocalRank(base.search(words, poolSize), toolId);
      gain += (reciprocalRank(search(words, poolSize), toolId) - before) / cases.length;
      await yieldToEventLoop();
    }
  }
  // Sums of fractions differ in the last digits.
  return gain > -1e-9;
}

/** The distinct searches of a person. */
function casesOf(searches: readonly LearnedSearch[]): LearnedSearch[] {
  const cases = new Map(searches.map((one) => [`${one.terms} ${one.toolId}`, one]));
  return [...cases].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

function reciprocalRank(ranked: Ranked, id: string): number {
  const at = ranked.findIndex((one) => one.id === id);
  return at < 0 ? 0 : 1 / (at + 1);
}

/** Whether nothing is learned from a query, so that it can show whether what was learned from others helps. */
export function isHeldOut(terms: string): boolean {
  return (createHash("sha256").update(terms).digest()[0] ?? 0) % heldOutOf === 0;
}
