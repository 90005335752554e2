import type { BaseContext } from "#core/kernel";
import type { ToolRanker } from "../search/ranker.ts";
import { createLearnedRanker } from "./learned-ranker.ts";
import type { LearnedRanker } from "./learned-ranker.ts";
import { findLearned } from "./search-store.ts";

/** What the index of a workspace has learned, as of some minutes ago. */
export type Learning = {
  isOn: boolean;
  learned: LearnedRanker | undefined;
  loadedAt: number;
};

/** The index of a workspace's tools. */
type LearningIndex = { ranker: ToolRanker; learning: Learning };

const reloadAfterMs = 5 * 60_000;
const maxSearches = 5_000;

export function createLearning(): Learning {
  return { isOn: false, learned: undefined, loadedAt: -Infinity };
}

/** Forgets what was learned when the workspace no longer agrees to it. */
export function setLearning(learning: Learning, isOn: boolean): void {
  if (!isOn) Object.assign(learning, createLearning());
  learning.isOn = isOn;
}

/** What helps to rank the tools of a workspace, if anything. Never waits: it is loaded for later searches. */
export function getLearned(
  context: Pick<BaseContext, "db" | "log">,
  workspaceId: string,
  index: LearningIndex,
): LearnedRanker | undefined {
  const { learning } = index;
  if (!learning.isOn) return undefined;
  const now = performance.now();
  if (now - learning.loadedAt > reloadAfterMs) {
    learning.loadedAt = now;
    loadLearned(context, workspaceId, index).catch((error: unknown) => {
      context.log.warn({ err: error }, "could not load what was learned from searches");
    });
  }
  return learning.learned?.isUsed === true ? learning.learned : undefined;
}

/** Reads the searches of a workspace that led to runs of tools that all members may run. */
async function loadLearned(
  { db }: Pick<BaseContext, "db">,
  workspaceId: string,
  { learning, ranker }: LearningIndex,
): Promise<void> {
  const rows = await findLearned(db, workspaceId, maxSearches);
  const searches = rows.map(({ user_id: userId, terms, words, tool_id: toolId }) => ({
    userId,
    terms,
    words,
    toolId: toolId ?? "",
  }));
  const learned = await createLearnedRanker(ranker, searches);
  if (learning.isOn) learning.learned = learned;
}
