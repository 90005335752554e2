import { ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { RunsContext } from "../context.ts";
import { countQueued } from "./queue-store.ts";

const retryAfterSeconds = 5;
const freshMs = 1_000;
/** Below this part of a limit a count may be a second old; above it, runs are counted for each new one. */
const farFromLimit = 0.9;

/**
 * The queue is limited for each workspace and in total, so that no run is accepted that may never start. Throws `rate_limited`
 * when the workspace's limit is reached, `unavailable` when the total is.
 */
export async function checkQueueLimits(
  context: RunsContext,
  caller: Caller,
  added = 1,
): Promise<void> {
  const { WORKSPACE_MAX_QUEUED_RUNS: ownLimit, MAX_QUEUED_RUNS: limit } = context.config;
  const { counts } = context.runs.queue;
  const known = counts.get(caller.workspaceId);
  const isFar =
    known !== undefined &&
    performance.now() - known.countedAt < freshMs &&
    known.own + added < ownLimit * farFromLimit &&
    known.all + added < limit * farFromLimit;
  if (isFar) {
    known.own += added;
    known.all += added;
    return;
  }
  const { own, all } = await countQueued(context.db, caller.workspaceId);
  const countedAt = performance.now();
  counts.set(caller.workspaceId, { own: own + added, all: all + added, countedAt });
  if (own + added > ownLimit) throw workspaceQueueFull(own, ownLimit);
  if (all + added > limit) {
    const message = "Too many runs are queued on this server. Retry shortly.";
    throw new ServiceError("unavailable", message, { retryAfterSeconds });
  }
}

function workspaceQueueFull(own: number, ownLimit: number): ServiceError {
  const message = `This workspace has ${own} queued runs, and its limit is ${ownLimit}. Retry when some have finished.`;
  return new ServiceError("rate_limited", message, {
    retryAfterSeconds,
    headers: {
      "ratelimit-policy": `"queued-runs";q=${ownLimit}`,
      ratelimit: `"queued-runs";r=0;t=${retryAfterSeconds}`,
    },
  });
}
