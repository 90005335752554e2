import type { RunResult } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { RunsContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { holdWait, takeRun } from "#core/limits";
import type { LimitState } from "#core/limits";
import type { RunnableTool } from "#core/catalog";
import type { Place } from "./admission.ts";
import { beginRun } from "./begin-run.ts";
import type { NewRun, RunKey } from "./begin-store.ts";
import { newRun, prepareRun } from "./prepare-run.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { checkQueueRoom } from "./queue-room.ts";
import { countBusyElsewhere } from "./queue-store.ts";
import { broadcast } from "./relay/node-messages.ts";
import { presentResult } from "./run.ts";
import { startRun } from "./start-run.ts";
import { waitForQueuedRun, waitForRun } from "./wait-for-run.ts";

type Request = {
  toolName: string;
  /** The version of a draft that runs in the place of the tool of that name. */
  draft?: RunnableTool | undefined;
  /** Any JSON: the tool's schema decides. */
  input: unknown;
  /** How long to wait for the end before answering `running`, in milliseconds. */
  waitMs: number;
  /** What makes the run happen once, however often it is asked for. */
  key?: RunKey | undefined;
  /** Told where the caller stands with the limits on runs. */
  noteLimits?: ((state: LimitState) => void) | undefined;
  /** Told the run's id as soon as it is in the database. */
  noteRun?: ((runId: string) => void) | undefined;
};

/**
 * Runs a tool and answers with its end, or `running` when that takes longer than the wait or too many wait
 * already. Once it
 * answers, the run is in the database and will have an end, whatever happens. Throws `tool_not_found`,
 * `invalid_input`, `credentials_missing`, `unavailable`, `rate_limited`, `quota_exceeded`, and `KeyTakenError`.
 */
export async function runTool(
  context: RunsContext,
  caller: Caller,
  { toolName, draft, input, waitMs, key, noteLimits, noteRun }: Request,
): Promise<RunResult> {
  const [prepared, busyElsewhere] = await Promise.all([
    prepareRun(context, caller, { toolName, draft, input }),
    context.cluster.size < 2
      ? 0
      : countBusyElsewhere(context.db, context.nodeId, caller.workspaceId),
  ]);
  refuseWhenStopping(context);
  const points = await takeRun(context, caller);
  noteLimits?.(points.state);
  const release = waitMs > 0 ? holdWait(context, caller) : undefined;
  const request = { prepared, waitMs: release ? waitMs : 0, key, busyElsewhere };
  try {
    const begun = await begin(context, caller, request).catch((error: unknown) => {
      // What begins nothing, such as a request that was answered before, is no run.
      points.giveBack();
      throw error;
    });
    noteRun?.(begun.run.id);
    return await startAndWait(context, caller, request, begun);
  } finally {
    release?.();
  }
}

/** Starts what has a place, or queues it, and waits for its end. */
function startAndWait(
  context: RunsContext,
  caller: Caller,
  { prepared, waitMs }: Beginning,
  begun: Begun,
): Promise<RunResult> {
  const { run, result, place } = begun;
  const wait = { run, result, waitMs, recordId: run.idempotency_id };
  if (place !== undefined) {
    const whole = { ...run, input: prepared.input.whole };
    return waitForRun(context, wait, startRun(context, prepared.tool, whole, { place }));
  }
  const queued = waitForQueuedRun(context, wait);
  context.runs.queue.note(caller.workspaceId);
  context.runs.queue.wake();
  broadcast(context, { kind: "queued" });
  return queued;
}

type Beginning = {
  prepared: PreparedRun;
  waitMs: number;
  key: RunKey | undefined;
  busyElsewhere: number;
};

/** `place` is undefined for a run that waits in the queue. */
type Begun = { run: NewRun; result: RunResult; place: Place | undefined };

/** Writes the run, with a place to start at once or into the queue. */
async function begin(
  context: RunsContext,
  caller: Caller,
  { prepared, waitMs, key, busyElsewhere }: Beginning,
): Promise<Begun> {
  const { workspaceId } = caller;
  const place = context.runs.queue.mustWait(workspaceId)
    ? undefined
    : context.runs.admission.enter(workspaceId, busyElsewhere);
  if (place === undefined) await checkQueueRoom(context, caller);
  const isQueued = place === undefined;
  const run = newRun(context, caller, prepared, { isQueued, key, parentRunId: null });
  const result = presentResult({ ...run, output: null, error: null }, context.config.baseUrl);
  const answer = waitMs === 0 ? JSON.stringify(result) : undefined;
  await beginRun(context, { run, key, answer, place });
  return { run, result, place };
}

function refuseWhenStopping({ cluster }: RunsContext): void {
  if (!cluster.isStopping) return;
  throw new ServiceError("unavailable", "The service is stopping.", { retryAfterSeconds: 1 });
}
