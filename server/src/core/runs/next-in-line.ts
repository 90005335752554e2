import type { RunsContext } from "./context.ts";
import { countAtWork, findFirstWaiting, findWaitingWorkspaces } from "./queue-store.ts";

/** A run that may start, and the workspace that it counts for. */
export type Startable = { id: string; workspaceId: string };

const maxWorkspaces = 1_000;
/** As many lines are looked into at a time; those with more at work have their turn later. */
const maxLines = 64;

/**
 * The runs that should start next, at most `count`: whoever has the fewest at work comes first, so that a long
 * line of one workspace delays no other's first run; then the oldest. Also which workspaces have runs waiting.
 */
export async function findNextInLine(
  { db, config }: RunsContext,
  count: number,
): Promise<{ next: Startable[]; waiting: string[] }> {
  const waiting = await findWaitingWorkspaces(db, maxWorkspaces);
  if (waiting.length === 0 || count <= 0) return { next: [], waiting };
  const atWork = await countAtWork(db);
  const lines = waiting
    .map((workspaceId) => ({ workspaceId, busy: atWork.get(workspaceId) ?? 0 }))
    .filter(({ busy }) => busy < config.WORKSPACE_MAX_CONCURRENT_RUNS)
    .toSorted((one, other) => one.busy - other.busy)
    .slice(0, maxLines);
  const candidates = await Promise.all(
    lines.map(async ({ workspaceId, busy }) => {
      const places = Math.min(config.WORKSPACE_MAX_CONCURRENT_RUNS - busy, count);
      const ids = await findFirstWaiting(db, workspaceId, places);
      return ids.map((id, index) => ({ id, workspaceId, load: busy + index }));
    }),
  );
  const next = candidates
    .flat()
    .toSorted((one, other) => one.load - other.load || (one.id < other.id ? -1 : 1))
    .slice(0, count);
  return { next, waiting };
}
