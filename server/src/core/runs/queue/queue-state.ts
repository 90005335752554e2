import type { RunsContext } from "../context.ts";
import { findMostQueued, findQueueSize } from "./queue-store.ts";

/** The queued runs of all workspaces and the age of the oldest, for metrics. NaN while the database is unavailable. */
export async function readQueueState({
  db,
  clock,
}: RunsContext): Promise<{ queued: number; maxAgeMs: number }> {
  try {
    const { queued, oldestAt } = await findQueueSize(db);
    return { queued, maxAgeMs: oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) };
  } catch {
    return { queued: Number.NaN, maxAgeMs: Number.NaN };
  }
}

/** The workspaces with the most queued runs, for metrics. None while the database is unavailable. */
export async function findLongestQueues(
  { db }: RunsContext,
  count: number,
): Promise<{ workspaceId: string; queued: number }[]> {
  try {
    return await findMostQueued(db, count);
  } catch {
    return [];
  }
}
