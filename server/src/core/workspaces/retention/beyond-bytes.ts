import type { WorkspacesContext } from "../context.ts";
import { findLargestWorkspaces, nearQuota, runSizes } from "#core/runs";
import type { Database } from "#db";
import { idFloor } from "#lib/ids";
import { findEnded, remove } from "./own-retention.ts";

const dayMs = 86_400_000;

/**
 * Makes room in workspaces whose runs have nearly as many bytes as they may: removes a batch of the oldest runs of each,
 * and answers how many. Runs of the last day stay, and those that an Idempotency-Key still answers with.
 */
export function removeBeyondBytes(
  { db, config }: Pick<WorkspacesContext, "db" | "config">,
  { now, limit }: { now: number; limit: number },
): () => Promise<number> {
  const room = Math.floor(config.WORKSPACE_MAX_RUN_BYTES * nearQuota);
  const before = idFloor(now - Math.max(dayMs, config.IDEMPOTENCY_RETENTION_MS));
  return async () => {
    let count = 0;
    for (const { id: workspaceId, bytes } of await findLargestWorkspaces(db, room)) {
      const oldest = await findEnded(db, workspaceId, { after: "", before, limit });
      const ids = await cutAt(db, oldest, bytes - room);
      if (ids.length > 0) await remove(db, "runs", ids);
      count += ids.length;
    }
    return count;
  };
}

/** Of these runs, so many from the first on as have the given bytes together. */
async function cutAt(db: Database, ids: readonly string[], bytes: number): Promise<string[]> {
  if (ids.length === 0) return [];
  const sizes = await runSizes(db).where("id", "in", ids).orderBy("id").execute();
  let freed = 0;
  const end = sizes.findIndex((run) => (freed += run.bytes) >= bytes);
  return sizes.slice(0, end === -1 ? undefined : end + 1).map(({ id }) => id);
}
