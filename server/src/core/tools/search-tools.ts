import { setImmediate as nextTurn } from "node:timers/promises";
import type { SearchResults, ToolMatch } from "@toolhost/contract";
import type { Caller } from "#core/access";
import type { Context } from "#core/context";
import { createBm25Ranker } from "#core/search";
import type { ToolRanker } from "#core/search";
import { findInstalledTools, findToolsRevisions } from "./install-store.ts";
import { listTools } from "./tool-list-store.ts";
import { readToolPage, readToolsById } from "./tool-page.ts";
import { findChangedTools, findToolsById } from "./tool-store.ts";
import { presentFor, toRecord } from "./tool.ts";
import type { ToolRow } from "./tool.ts";

const toolsAtOnce = 10;

/** A workspace's search index and the revision of its tools that it holds. */
type WorkspaceIndex = {
  ranker: ToolRanker;
  revision: number;
  owners: Map<string, string | null>;
  /** What was last seen of tools that are installed from elsewhere: a mark of all, and each one's accepted version. */
  installed: { mark: string; versions: Map<string, number> };
};

/** Search indexes by workspace, filled when first asked and kept up with each change, on any node. */
export type ToolIndexes = { of(context: Context, workspaceId: string): Promise<WorkspaceIndex> };

export function createToolIndexes(): ToolIndexes {
  const indexes = new Map<string, WorkspaceIndex>();
  return {
    async of(context, workspaceId) {
      let index = indexes.get(workspaceId);
      if (index === undefined) {
        index = {
          ranker: createBm25Ranker(),
          revision: 0,
          owners: new Map(),
          installed: { mark: "", versions: new Map() },
        };
        indexes.set(workspaceId, index);
      }
      const { own, installed } = await findToolsRevisions(context.db, workspaceId);
      if (own !== index.revision) await catchUp(context, workspaceId, index);
      if (installed !== index.installed.mark) {
        await catchUpInstalled(context, workspaceId, index);
        index.installed.mark = installed;
      }
      return index;
    },
  };
}

async function catchUp(
  context: Context,
  workspaceId: string,
  index: WorkspaceIndex,
): Promise<void> {
  // Definitions may be large, so few are read at once, and others have their turn in between.
  for (let isMore = true; isMore; await nextTurn()) {
    const page = { after: index.revision, limit: toolsAtOnce };
    const rows = await findChangedTools(context.db, workspaceId, page);
    for (const row of rows) {
      if (row.archived_at === null) {
        put(index, row, row.visibility === "private" ? row.owner_user_id : null);
      } else {
        remove(index, row.id);
      }
      // Only as far as was really read: a change that commits meanwhile is read the next time.
      index.revision = Math.max(index.revision, row.revision);
    }
    isMore = rows.length === toolsAtOnce;
  }
}

/** Of installed tools there are few, so all are read when one has changed. */
async function catchUpInstalled(
  context: Context,
  workspaceId: string,
  index: WorkspaceIndex,
): Promise<void> {
  const rows = await findInstalledTools(context.db, workspaceId);
  const { versions } = index.installed;
  const found = new Map(rows.map((row) => [row.id, row.version]));
  for (const id of versions.keys()) if (!found.has(id)) remove(index, id);
  for (const row of rows) if (versions.get(row.id) !== row.version) put(index, row, null);
  index.installed.versions = found;
}

function put(index: WorkspaceIndex, row: ToolRow, owner: string | null): void {
  const { id, name, title, description, definition } = toRecord(row);
  index.ranker.put({ id, name, title, description, inputSchema: definition.inputSchema });
  index.owners.set(id, owner);
}

function remove(index: WorkspaceIndex, id: string): void {
  index.ranker.remove(id);
  index.owners.delete(id);
}

/**
 * For each query the caller's tools that match it best, best first. Without a query, the newest tools.
 */
export async function searchTools(
  context: Context,
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
  const index = await context.toolIndexes.of(context, caller.workspaceId);
  const mayUse = (id: string) => {
    const owner = index.owners.get(id);
    return owner === null || owner === caller.userId;
  };
  const found: ReturnType<ToolRanker["search"]>[] = [];
  for (const query of queries) {
    found.push(index.ranker.search(query, limit, mayUse));
    await nextTurn();
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
