import { sql } from "kysely";
import { ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { sumCapSteps } from "#core/limits";
import type { TransactionStep } from "#db";
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
export async function checkQueueLimits(context: RunsContext, caller: Caller): Promise<void> {
  const { WORKSPACE_MAX_QUEUED_RUNS: ownLimit, MAX_QUEUED_RUNS: limit } = context.config;
  const { counts } = context.runs.queue;
  const known = counts.get(caller.workspaceId);
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
  const { own, all } = await countQueued(context.db, caller.workspaceId);
  const countedAt = performance.now();
  counts.set(caller.workspaceId, { own: own + 1, all: all + 1, countedAt });
  if (own >= ownLimit) throw workspaceQueueFull(own, ownLimit);
  if (all >= limit) throw queueFull();
}

/**
 * The steps that go first in the transaction that queues a batch. Runs of batches have the same limits as others, but are counted
 * apart from them, so that a batch never keeps a single run from being accepted.
 */
export function capBatchedRuns(
  context: RunsContext,
  workspaceId: string,
  added: number,
): TransactionStep[] {
  const { db, config } = context;
  const queued = sql`select count(*) from runs
    where status = 'running' and queued = 1 and batch_id is not null`;
  const total = sql`select 1 where (${queued}) + ${sql.lit(added)} <= ${sql.lit(config.MAX_QUEUED_RUNS)}`;
  return [
    ...sumCapSteps(context, "queued-batch-runs", {
      subject: workspaceId,
      used: sql`${queued} and workspace_id = ${workspaceId}`,
      added,
    }),
    { query: total.compile(db.kysely), mustChange: true, refusal: queueFull },
  ];
}

function queueFull(): ServiceError {
  const message = "Too many runs are queued on this server. Retry shortly.";
  return new ServiceError("unavailable", message, { retryAfterSeconds });
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
