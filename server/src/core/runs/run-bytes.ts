import { capReached } from "#core/limits";
import type { RunsContext } from "./context.ts";
import { createLruMap } from "#lib/lru";
import type { LruMap } from "#lib/lru";
import { sumRunBytes } from "./run-bytes-store.ts";
import type { RunEnd } from "./run-store.ts";

/** What was read of each workspace's bytes, with what runs of this node have added since. */
export type RunBytes = LruMap<string, { bytes: number; readAt: number }>;

export function createRunBytes(): RunBytes {
  return createLruMap(5_000);
}

/** How long a sum may be used, far from the limit and near it: other nodes add to it as well. */
const freshMs = { far: 10_000, near: 1_000 };
/** From this part of the limit on, the sweep makes room by deleting the oldest runs. */
export const fullPart = 0.9;

/**
 * Throws `quota_exceeded` when the workspace's stored runs have as many bytes as they may. Hardly a run costs a look into
 * the database for it, so runs that were accepted before may still pass the limit.
 */
export async function checkRunBytes(context: RunsContext, workspaceId: string): Promise<void> {
  const { config, db } = context;
  const { runBytes } = context.runs;
  const max = config.WORKSPACE_MAX_RUN_BYTES;
  if (max === 0) return;
  let known = runBytes.get(workspaceId);
  const usableMs = (known?.bytes ?? 0) < max * fullPart ? freshMs.far : freshMs.near;
  if (known === undefined || performance.now() - known.readAt >= usableMs) {
    const readAt = performance.now();
    known = { bytes: await sumRunBytes(db, workspaceId), readAt };
    runBytes.set(workspaceId, known);
  }
  if (known.bytes >= max) throw capReached("run-bytes", max);
}

/** Notes what a run of this node has stored, until the sum is read again. */
export function noteRunBytes(
  { runs: { runBytes } }: RunsContext,
  { columns, event, log }: RunEnd,
): void {
  const known = runBytes.get(event.workspace_id);
  if (known === undefined) return;
  const { output, error } = columns;
  known.bytes += (output?.length ?? 0) + (error?.length ?? 0) + (log?.body.length ?? 0);
}
