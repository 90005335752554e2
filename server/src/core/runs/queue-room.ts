import type { Caller } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { createLruMap } from "#lib/lru";
import type { LruMap } from "#lib/lru";
import { countWaiting } from "./queue-store.ts";

/** What was counted of the queue lately, by workspace, with the runs that were put into it here since. */
export type QueueCounts = LruMap<string, { own: number; all: number; countedAt: number }>;

export function createQueueCounts(): QueueCounts {
  return createLruMap(500);
}

const retrySeconds = 5;
const freshMs = 1_000;
/** Below this part of a limit a count may be a second old; beyond it, every run is counted anew. */
const farFromLimit = 0.9;

/**
 * The queue is bounded, for each workspace and for all, so that nothing is accepted that may never start.
 * Throws `rate_limited` when the workspace's line is full, `unavailable` when the whole queue is.
 */
export async function checkQueueRoom(context: RunsContext, caller: Caller): Promise<void> {
  const { WORKSPACE_MAX_QUEUED_RUNS: ownLimit, MAX_QUEUED_RUNS: limit } = context.config;
  const known = context.runs.queueCounts.get(caller.workspaceId);
  const isFar =
    known !== undefined &&
    performance.now() - known.countedAt < freshMs &&
    known.own < ownLimit * farFromLimit &&
    known.all < limit * farFromLimit;
  if (isFar) {
    known.own += 1;
    known.all += 1;
    return;
  }
  const { own, all } = await countWaiting(context.db, caller.workspaceId);
  const countedAt = performance.now();
  context.runs.queueCounts.set(caller.workspaceId, { own: own + 1, all: all + 1, countedAt });
  if (own >= ownLimit) throw lineIsFull(own, ownLimit);
  if (all >= limit) {
    throw new ServiceError("unavailable", "Too many runs are waiting. Try again.", {
      retryAfterSeconds: retrySeconds,
    });
  }
}

function lineIsFull(own: number, ownLimit: number): ServiceError {
  const message = `${own} runs of this workspace wait already. Try again when some have ended.`;
  return new ServiceError("rate_limited", message, {
    retryAfterSeconds: retrySeconds,
    headers: {
      "ratelimit-policy": `"queued-runs";q=${ownLimit}`,
      ratelimit: `"queued-runs";r=0;t=${retrySeconds}`,
    },
  });
}
