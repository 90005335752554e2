import type { SearchResults, ToolMatch } from "@toolhost/contract";
import { toolNamePattern } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { yieldToEventLoop } from "#lib/event-loop";
import type { CatalogContext } from "../context.ts";
import { findSimilar } from "../embeddings/find-similar.ts";
import { getLearned } from "../learning/learning.ts";
import type { ToolRanker } from "../search/ranker.ts";
import { explainMatches } from "./explain-matches.ts";
import type { MatchSources } from "./explain-matches.ts";
import { listTools } from "./tool-list-store.ts";
import { readToolPage, readToolsById } from "./tool-page.ts";
import { findToolsById } from "./tool-store.ts";
import { presentFor, toRecord } from "./tool.ts";

type Options = {
  limit: number;
  isExplained?: boolean;
  /** Whether the queries are searches of the caller, which the workspace may learn from. */
  isLearnedFrom?: boolean;
};

/** The best matching tools for each query, best first. Without a query, the newest tools. */
export async function searchTools(
  context: CatalogContext,
  caller: Caller,
  queries: readonly string[],
  { limit, isExplained = false, isLearnedFrom = false }: Options,
): Promise<SearchResults> {
  if (queries.length === 0) {
    const { shown } = await readToolPage({ limit, after: undefined }, (part) =>
      listTools(context.db, caller, { ...part, text: undefined }),
    );
    const matches = shown.map((row) => ({
      ...presentFor(caller, toRecord(row), context.config.baseUrl),
      score: 1,
    }));
    return { results: [{ query: "", matches }] };
  }
  const { toolIndexes, embeddings } = context.catalog;
  // Starts while the index reads changes.
  const understanding = embeddings?.understand(caller.userId, queries);
  const index = await toolIndexes.of(context, caller.workspaceId);
  const meanings = (await understanding) ?? [];
  const found: ReturnType<ToolRanker["search"]>[] = [];
  const sources: MatchSources[] = [];
  const learned = getLearned(context, caller.workspaceId, index);
  for (const [at, query] of queries.entries()) {
    // A name says exactly which tool is wanted.
    const used = toolNamePattern.test(query) ? undefined : learned;
    const similar = await findSimilar(index.vectors, meanings[at], caller.userId);
    found.push((used ?? index.ranker).search(query, limit, caller.userId, similar));
    sources.push({ ranker: index.ranker, learned: used, similar });
    await yieldToEventLoop();
  }
  if (isLearnedFrom && index.learning.isOn) {
    for (const [position, query] of queries.entries()) {
      const ids = found[position]?.map(({ id }) => id) ?? [];
      context.catalog.searchLog.note(caller, query, ids);
    }
  }
  const ids = [...new Set(found.flat().map(({ id }) => id))];
  const rows = await readToolsById(ids, (some) => findToolsById(context.db, caller, some));
  const records = rows.map(toRecord);
  const byId = new Map(records.map((record) => [record.id, record]));
  const results = queries.map((query, position) => ({
    query,
    matches: (found[position] ?? []).flatMap(({ id, score }): ToolMatch[] => {
      const record = byId.get(id);
      return record === undefined
        ? []
        : [{ ...presentFor(caller, record, context.config.baseUrl), score }];
    }),
  }));
  return {
    results: isExplained ? await explainMatches(caller, results, { sources, records }) : results,
  };
}
