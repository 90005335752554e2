import type { WorkspacesContext } from "../context.ts";
import { findLargestWorkspaces, nearQuota, runSizes } from "#core/runs";
import type { Database } from "#db";
import { idFloor } from "#lib/ids";
import { findFinishedRuns, deleteBatch } from "./workspace-retention.ts";

const dayMs = 86_400_000;

/**
 * Frees space in workspaces that are close to their limit of run bytes: deletes a batch of the oldest runs of each and
 * returns how many. Excludes the runs of the last day, and those that an Idempotency-Key may still replay.
 */
export function deleteExcessRuns(
  { db, config }: Pick<WorkspacesContext, "db" | "config">,
  { now, limit }: { now: number; limit: number },
): () => Promise<number> {
  const room = Math.floor(config.WORKSPACE_MAX_RUN_BYTES * nearQuota);
  const before = idFloor(now - Math.max(dayMs, config.IDEMPOTENCY_RETENTION_MS));
  return async () => {
    let count = 0;
    for (const { id: workspaceId, bytes } of await findLargestWorkspaces(db, room)) {
      const oldest = await findFinishedRuns(db, workspaceId, { after: "", before, limit });
      const ids = await takeBytes(db, oldest, bytes - room);
      if (ids.length > 0) await deleteBatch(db, "runs", ids);
      count += ids.length;
    }
    return count;
  };
}

/** The first of these runs that together have the given number of bytes. */
async function takeBytes(db: Database, ids: readonly string[], bytes: number): Promise<string[]> {
  if (ids.length === 0) return [];
  const sizes = await runSizes(db).where("id", "in", ids).orderBy("id").execute();
  let freed = 0;
  const end = sizes.findIndex((run) => (freed += run.bytes) >= bytes);
  return sizes.slice(0, end === -1 ? undefined : end + 1).map(({ id }) => id);
}
