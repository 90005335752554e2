import { setTimeout as sleep } from "node:timers/promises";
import { createActiveRun } from "../active-runs.ts";
import type { RunsContext } from "../context.ts";
import { executeRun } from "../execute.ts";
import { addNotStarted } from "../recovery/not-started.ts";
import { claimRuns, countRunning, findOldestQueued, findQueuedWorkspaces } from "./queue-store.ts";
import { wakeOthers } from "../relay/node-messages.ts";
import { countedRuns, noLoad } from "./admission.ts";
import type { QueueState } from "./run-queue.ts";

const errorPauseMs = 500;

/** Executes queued runs on this node until the queue is stopped. One claim at a time sees what arrived during the last one. */
export async function processQueue(context: RunsContext): Promise<void> {
  const { queue } = context.runs;
  while (await queue.next()) {
    try {
      queue.update(await claimQueuedRuns(context));
    } catch (error) {
      context.log.error({ err: error }, "claiming queued runs failed");
      await sleep(errorPauseMs, undefined, { ref: false });
      queue.wake();
    }
  }
}

/** Claims as many queued runs as this node has slots for, and executes them. */
async function claimQueuedRuns(context: RunsContext): Promise<QueueState> {
  const { admission, queue } = context.runs;
  const slots = context.sandbox.status().ready ? admission.available() : 0;
  const { next, workspaceIds } = await findNextRuns(context, slots, queue.workspaceIds());
  if (next.length > 0) await claim(context, next);
  const isNodeFull = admission.available() <= 0;
  // More runs were queued at once than this node can take. In a full cluster, runs end and start one by one.
  if (isNodeFull && next.length > 1) wakeOthers(context);
  return { workspaceIds, isNodeFull };
}

/** A queued run that may start, and the workspace that it counts for. */
type Candidate = { id: string; workspaceId: string };

async function claim(context: RunsContext, next: readonly Candidate[]): Promise<void> {
  const { db, nodeId, clock } = context;
  const { admission, notStarted } = context.runs;
  const slots = new Map(
    next.flatMap(({ id, workspaceId }) => {
      // The database counted this node's runs too, but may lag behind: both have to agree.
      const slot = admission.acquire(workspaceId, noLoad);
      return slot === undefined ? [] : [[id, slot] as const];
    }),
  );
  if (slots.size === 0) return;
  try {
    const claimed = await claimRuns(db, [...slots.keys()], nodeId, clock.now()).catch((error) => {
      addNotStarted(notStarted, slots.keys());
      throw error;
    });
    for (const run of claimed) {
      notStarted.delete(run.id);
      const slot = slots.get(run.id);
      slots.delete(run.id);
      if (slot === undefined) continue;
      const active = createActiveRun(run, { hasRemoteWaiters: true });
      if (run.cancel_requested === 1) active.abort.abort();
      // executeRun logs the failure, and no caller on this node waits for the outcome.
      executeRun(context, { run, active, slot }).catch(() => undefined);
    }
  } finally {
    for (const slot of slots.values()) slot.release();
  }
}

const maxWorkspaces = 1_000;
/** How many workspaces are considered at a time; those with more running runs have their turn later. */
const maxConsidered = 64;
/** Of how many workspaces the runs are read before it is known whether they may start. */
const maxExpected = 8;

/**
 * The runs that should start next, at most `count`, and the workspaces with queued runs. The workspace with the fewest running
 * runs comes first, so that a long queue of one workspace does not delay the first run of another; then the oldest run. The
 * runs of `expected` workspaces are read at the same time as everything else, which saves a round trip.
 */
export async function findNextRuns(
  { db, config }: Pick<RunsContext, "db" | "config">,
  count: number,
  expected: readonly string[] = [],
): Promise<{ next: Candidate[]; workspaceIds: string[] }> {
  if (count <= 0) {
    return { next: [], workspaceIds: await findQueuedWorkspaces(db, maxWorkspaces) };
  }
  const maxSlots = Math.min(config.WORKSPACE_MAX_CONCURRENT_RUNS, count);
  const findOldest = (workspaceId: string) => findOldestQueued(db, workspaceId, maxSlots);
  const known = expected.length > 0 ? undefined : await findQueuedWorkspaces(db, maxWorkspaces);
  // Mostly the queue is empty when nothing is expected in it.
  if (known?.length === 0) return { next: [], workspaceIds: [] };
  const [workspaceIds, running, oldest] = await Promise.all([
    known ?? findQueuedWorkspaces(db, maxWorkspaces),
    countRunning(db),
    mapValues(expected.slice(0, maxExpected), findOldest),
  ]);
  const perWorkspace = config.WORKSPACE_MAX_CONCURRENT_RUNS;
  const workspaces = workspaceIds
    .map((workspaceId) => {
      const load = running.get(workspaceId) ?? noLoad;
      return {
        workspaceId,
        busy: load.running,
        free: perWorkspace - countedRuns(load, perWorkspace),
      };
    })
    .filter(({ free }) => free > 0)
    .toSorted((one, other) => one.busy - other.busy)
    .slice(0, maxConsidered);
  const candidates = await Promise.all(
    workspaces.map(async ({ workspaceId, busy, free }) => {
      const ids = oldest.get(workspaceId) ?? (await findOldest(workspaceId));
      return ids
        .slice(0, Math.min(free, count))
        .map((id, index) => ({ id, workspaceId, load: busy + index }));
    }),
  );
  const next = candidates
    .flat()
    .toSorted((one, other) => one.load - other.load || (one.id < other.id ? -1 : 1))
    .slice(0, count);
  return { next, workspaceIds };
}

async function mapValues<T>(
  keys: readonly string[],
  read: (key: string) => Promise<T>,
): Promise<Map<string, T>> {
  return new Map(await Promise.all(keys.map(async (key) => [key, await read(key)] as const)));
}
