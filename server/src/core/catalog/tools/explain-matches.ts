import type { MatchReason, SearchResults, ToolMatch } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { yieldToEventLoop } from "#lib/event-loop";
import type { LearnedRanker } from "../learning/learned-ranker.ts";
import { isRelated } from "../search/add-similar.ts";
import type { SimilarTools } from "../search/add-similar.ts";
import { cutWord } from "../search/explain.ts";
import type { ToolRanker } from "../search/ranker.ts";
import { toSearchable } from "./tool-indexes.ts";
import type { ToolRecord } from "./tool.ts";

/** What found the matches of a query. */
export type MatchSources = {
  ranker: ToolRanker;
  learned: LearnedRanker | undefined;
  similar: SimilarTools | undefined;
};

type Results = SearchResults["results"];

/** Explaining a match takes about a millisecond. */
const maxExplained = 50;

/** Adds to the first matches why they were found. */
export async function explainMatches(
  caller: Caller,
  results: Results,
  { sources, records }: { sources: readonly MatchSources[]; records: readonly ToolRecord[] },
): Promise<Results> {
  const byName = new Map(records.map((record) => [record.name, record]));
  const explained: Results = [];
  let left = maxExplained;
  for (const [at, { query, matches }] of results.entries()) {
    const reasonsOf = explainQuery(query, caller.userId, sources[at]);
    const shown: ToolMatch[] = [];
    for (const match of matches) {
      const record = left > 0 ? byName.get(match.name) : undefined;
      left -= 1;
      shown.push(record === undefined ? match : { ...match, reasons: reasonsOf(record) });
      await yieldToEventLoop();
    }
    explained.push({ query, matches: shown });
  }
  return explained;
}

/** The words that match, then what the workspace learned, then the meaning. */
function explainQuery(
  query: string,
  user: string,
  sources: MatchSources | undefined,
): (tool: ToolRecord) => MatchReason[] {
  const byWords = sources?.ranker.explain(query, user);
  const byLearning = sources?.learned?.explain(query);
  return (tool) => {
    const reasons = [...(byWords?.(toSearchable(tool)) ?? []), ...(byLearning?.(tool.id) ?? [])];
    const isSimilar = sources?.similar !== undefined && isRelated(sources.similar, tool.id);
    return isSimilar ? [...reasons, similarMeaning(query, tool)] : reasons;
  };
}

function similarMeaning(query: string, { title }: ToolRecord): MatchReason {
  return { word: cutWord(query), matched: cutWord(title), through: "meaning", fields: [] };
}
