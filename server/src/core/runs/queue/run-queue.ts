import { setTimeout as sleep } from "node:timers/promises";
import { createLruMap } from "#lib/lru";
import type { LruMap } from "#lib/lru";

/** What this node knows about the runs that are queued in the database. */
export type RunQueue = {
  /** Whether a new run of the workspace has to queue behind earlier ones. */
  mustQueue(workspaceId: string): boolean;
  /** Records that this node has queued a run of the workspace. */
  add(workspaceId: string): void;
  /** Checks soon whether queued runs can start here. */
  wake(): void;
  /** The same, but only if runs are known to be queued: otherwise a finished run would cost a query. */
  wakeIfQueued(): void;
  /** From now on {@link RunQueue.wake} calls `claim`, one call at a time. */
  start(claim: () => Promise<QueueState>, onError: (error: unknown) => void): void;
  /** Claims no more runs; resolves when no claim is in progress. */
  stop(): Promise<void>;
  /** Recent counts of queued runs by workspace, with those that this node has queued since. */
  counts: LruMap<string, { own: number; all: number; countedAt: number }>;
};

/** The queue as the last claim found it. */
export type QueueState = {
  /** Workspaces with queued runs. */
  workspaceIds: readonly string[];
  /** The node has no free slot, so runs may be queued whose workspace has one. */
  isNodeFull: boolean;
};

const errorPauseMs = 500;
const maxCounts = 500;

export function createRunQueue(): RunQueue {
  let queued = new Set<string>();
  let isNodeFull = false;
  let isStopped = false;
  let isRequested = false;
  let current: Promise<void> | undefined;
  let claimOnce: (() => Promise<void>) | undefined;
  const claimWhileRequested = async () => {
    // stop() withdraws the request.
    while (isRequested) {
      isRequested = false;
      // One claim at a time: the next one sees what arrives meanwhile.
      // oxlint-disable-next-line no-await-in-loop
      await claimOnce?.();
    }
    current = undefined;
  };
  const wake = () => {
    if (isStopped) return;
    isRequested = true;
    if (claimOnce === undefined) return;
    current ??= claimWhileRequested();
  };
  return {
    mustQueue: (workspaceId) => queued.has(workspaceId) || (isNodeFull && queued.size > 0),
    add: (workspaceId) => void queued.add(workspaceId),
    wake,
    wakeIfQueued: () => {
      if (queued.size > 0) wake();
    },
    start: (claim, onError) => {
      claimOnce = async () => {
        try {
          const state = await claim();
          queued = new Set(state.workspaceIds);
          ({ isNodeFull } = state);
        } catch (error) {
          onError(error);
          await sleep(errorPauseMs, undefined, { ref: false });
        }
      };
      if (isRequested) wake();
    },
    stop: async () => {
      isStopped = true;
      isRequested = false;
      await current;
    },
    counts: createLruMap(maxCounts),
  };
}
