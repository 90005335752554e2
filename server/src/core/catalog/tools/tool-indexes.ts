import type { BaseContext } from "#core/kernel";
import { yieldToEventLoop } from "#lib/event-loop";
import { createLearning, setLearning } from "../learning/learning.ts";
import type { Learning } from "../learning/learning.ts";
import type { Embeddings } from "../embeddings/embeddings.ts";
import { textOf } from "../embeddings/tool-text.ts";
import { createToolVectors } from "../embeddings/tool-vectors.ts";
import type { ToolVectors } from "../embeddings/tool-vectors.ts";
import { loadWords } from "../search/lexicon/load.ts";
import { createBm25Ranker } from "../search/ranker.ts";
import type { SearchableTool, ToolRanker } from "../search/ranker.ts";
import { findInstalledTools, findInstalledVersions, findToolsRevisions } from "./install-store.ts";
import { findChangedTools } from "./tool-store.ts";
import { toRecord } from "./tool.ts";
import type { ToolRecord, ToolRow } from "./tool.ts";

type DatabaseContext = Pick<BaseContext, "db">;

/** Definitions may be large, so they are read in small batches. */
const toolsAtOnce = 10;
/** Size of the indexes of all workspaces together: about 300 MB. */
const defaultMaxTerms = 10_000_000;
const bytesPerTerm = 30;

/** The search index of a workspace, with the revision of the tools in it. */
type WorkspaceIndex = {
  workspaceId: string;
  ranker: ToolRanker;
  learning: Learning;
  /** Undefined without embeddings. */
  vectors: ToolVectors | undefined;
  revision: number;
  /** State of the installed tools when they were last read: a revision of all, and the accepted version of each. */
  installed: { mark: string; versions: Map<string, number> };
  catchingUp: Promise<void> | undefined;
  nextCatchUp: Promise<void> | undefined;
};

/** Search indexes by workspace, built on first use and updated on each use with changes from any node. */
export type ToolIndexes = {
  of(context: DatabaseContext, workspaceId: string): Promise<WorkspaceIndex>;
  /** The indexes that are in memory. */
  loaded(): WorkspaceIndex[];
  /** Evicts all indexes. */
  clear(): void;
};

/** Waits for a turn to block the event loop for a few milliseconds. */
type TakeTurn = () => Promise<unknown>;

type Options = { maxTerms?: number; embeddings: Embeddings | undefined };

/** Evicts the least recently used indexes while all together have more than `maxTerms` terms. */
export function createToolIndexes({
  maxTerms = defaultMaxTerms,
  embeddings,
}: Options): ToolIndexes {
  // A Map iterates in insertion order, so the first index is the least recently used.
  const indexes = new Map<string, WorkspaceIndex>();
  let last: Promise<unknown> = Promise.resolve();
  // One tool per turn of the event loop, across all workspaces.
  const takeTurn = () => (last = last.then(() => yieldToEventLoop()));
  return {
    async of(context, workspaceId) {
      await loadWords(takeTurn);
      const index = indexes.get(workspaceId) ?? emptyIndex(workspaceId, embeddings);
      indexes.delete(workspaceId);
      indexes.set(workspaceId, index);
      await catchUpShared(index, () => catchUp(context, workspaceId, index, takeTurn));
      forgetUnused(indexes, maxTerms);
      return index;
    },
    loaded: () => [...indexes.values()],
    clear: () => indexes.clear(),
  };
}

/**
 * Updates an index. A running update may have started before a change that the caller has to see, so it waits for the next
 * one, which all who wait share.
 */
async function catchUpShared(index: WorkspaceIndex, update: () => Promise<void>): Promise<void> {
  const { catchingUp: running = Promise.resolve() } = index;
  index.nextCatchUp ??= running
    .catch(() => undefined)
    .then(() => {
      index.catchingUp = index.nextCatchUp;
      index.nextCatchUp = undefined;
      return update();
    });
  const own = index.nextCatchUp;
  await own.finally(() => {
    if (index.catchingUp === own) index.catchingUp = undefined;
  });
}

function emptyIndex(workspaceId: string, embeddings: Embeddings | undefined): WorkspaceIndex {
  return {
    workspaceId,
    vectors: embeddings && createToolVectors(embeddings.toolPrefix),
    ranker: createBm25Ranker(),
    learning: createLearning(),
    revision: 0,
    installed: { mark: "", versions: new Map() },
    catchingUp: undefined,
    nextCatchUp: undefined,
  };
}

function forgetUnused(indexes: Map<string, WorkspaceIndex>, maxTerms: number): void {
  let total = [...indexes.values()].reduce((sum, index) => sum + sizeOf(index), 0);
  for (const [workspaceId, index] of [...indexes].slice(0, -1)) {
    if (total <= maxTerms) return;
    if ((index.catchingUp ?? index.nextCatchUp) !== undefined) continue;
    indexes.delete(workspaceId);
    total -= sizeOf(index);
  }
}

function sizeOf({ ranker, vectors }: WorkspaceIndex): number {
  return ranker.terms() + (vectors?.bytes() ?? 0) / bytesPerTerm;
}

async function catchUp(
  context: DatabaseContext,
  workspaceId: string,
  index: WorkspaceIndex,
  takeTurn: TakeTurn,
): Promise<void> {
  const { own, installed, learns } = await findToolsRevisions(context.db, workspaceId);
  setLearning(index.learning, learns === 1);
  if (own !== index.revision) await catchUpOwn(context, workspaceId, index, takeTurn);
  if (installed === index.installed.mark) return;
  await catchUpInstalled(context, workspaceId, index, takeTurn);
  index.installed.mark = installed;
}

async function catchUpOwn(
  context: DatabaseContext,
  workspaceId: string,
  index: WorkspaceIndex,
  takeTurn: TakeTurn,
): Promise<void> {
  for (let isMore = true; isMore;) {
    const page = { after: index.revision, limit: toolsAtOnce };
    const rows = await findChangedTools(context.db, workspaceId, page);
    for (const row of rows) {
      await takeTurn();
      if (row.archived_at === null) {
        put(index, row, row.visibility === "private" ? row.owner_user_id : null);
      } else {
        remove(index, row.id);
      }
      // Only advances to revisions that were read, so that concurrent commits are read next time.
      index.revision = Math.max(index.revision, row.revision);
    }
    isMore = rows.length === toolsAtOnce;
  }
}

async function catchUpInstalled(
  context: DatabaseContext,
  workspaceId: string,
  index: WorkspaceIndex,
  takeTurn: TakeTurn,
): Promise<void> {
  const found = await findInstalledVersions(context.db, workspaceId);
  const { versions } = index.installed;
  for (const id of versions.keys()) {
    if (found.has(id)) continue;
    remove(index, id);
    versions.delete(id);
  }
  const changed = [...found].filter(([id, version]) => versions.get(id) !== version);
  for (let at = 0; at < changed.length; at += toolsAtOnce) {
    const ids = changed.slice(at, at + toolsAtOnce).map(([id]) => id);
    for (const row of await findInstalledTools(context.db, workspaceId, ids)) {
      await takeTurn();
      put(index, row, null);
      versions.set(row.id, row.version);
    }
  }
}

function put(index: WorkspaceIndex, row: ToolRow, owner: string | null): void {
  const tool = toSearchable(toRecord(row));
  index.ranker.put(tool, owner);
  index.vectors?.put(row.id, owner, textOf(tool));
}

/** What is searched of a tool. */
export function toSearchable(record: ToolRecord): SearchableTool {
  const { id, name, title, description, definition } = record;
  const { inputSchema, outputSchema, examples } = definition;
  const outputs = outputSchema.properties.map((output) => [output.name, output.description]);
  const details = [outputs, examples.map(({ input }) => input)];
  return { id, name, title, description, inputSchema, details };
}

function remove(index: WorkspaceIndex, id: string): void {
  index.ranker.remove(id);
  index.vectors?.remove(id);
}
