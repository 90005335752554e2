import type { SearchResults, ToolMatch } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { yieldToEventLoop } from "#lib/event-loop";
import type { CatalogContext } from "../context.ts";
import type { ToolRanker } from "../search/ranker.ts";
import { listTools } from "./tool-list-store.ts";
import { readToolPage, readToolsById } from "./tool-page.ts";
import { findToolsById } from "./tool-store.ts";
import { presentFor, toRecord } from "./tool.ts";

/** The best matching tools for each query, best first. Without a query, the newest tools. */
export async function searchTools(
  context: CatalogContext,
  caller: Caller,
  queries: readonly string[],
  limit: number,
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
  const index = await context.catalog.toolIndexes.of(context, caller.workspaceId);
  const found: ReturnType<ToolRanker["search"]>[] = [];
  for (const query of queries) {
    found.push(index.ranker.search(query, limit, caller.userId));
    await yieldToEventLoop();
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
  return { results };
}
