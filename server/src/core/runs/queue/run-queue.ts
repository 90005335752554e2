import { createLruMap } from "#lib/lru";
import type { LruMap } from "#lib/lru";

/** What this node knows about the runs that are queued in the database. */
export type RunQueue = {
  /** Whether a new run of the workspace has to queue behind earlier ones. */
  mustQueue(workspaceId: string): boolean;
  /** The workspaces that have queued runs, as far as this node knows. */
  workspaceIds(): string[];
  /** Records that this node has queued a run of the workspace. */
  add(workspaceId: string): void;
  /** Records that another node has queued a run. */
  noteOthers(): void;
  /** Records the queue as a claim found it. */
  update(state: QueueState): void;
  /** Requests a claim, since a slot is free or a run was queued. */
  wake(): void;
  /** The same, but only if runs are queued as far as is known: otherwise a finished run would cost a query. */
  wakeIfQueued: () => void;
  /** Resolves to true when the next claim is requested, and to false once the queue is stopped. */
  next(): Promise<boolean>;
  /** Ends the claims; resolves when none is in progress. */
  stop(): Promise<void>;
  /** Recent counts of queued runs by workspace, with those that this node has queued since. */
  counts: LruMap<string, { own: number; all: number; countedAt: number }>;
};

/** The queue as a claim found it. */
export type QueueState = {
  /** Workspaces with queued runs. */
  workspaceIds: readonly string[];
  /** The node has no free slot, so runs may be queued whose workspace has one. */
  isNodeFull: boolean;
};

const maxCounts = 500;

export function createRunQueue(): RunQueue {
  let queued = new Set<string>();
  let isNodeFull = false;
  /** Another node has queued a run since the last claim. */
  let hasOthers = false;
  let isStopped = false;
  let isRequested = false;
  let resolveNext: ((isRequested: boolean) => void) | undefined;
  /** From when `next` resolves to true until it is called again. */
  let claim: PromiseWithResolvers<void> | undefined;
  const startClaim = () => {
    if (!isRequested || resolveNext === undefined) return;
    isRequested = false;
    // A run that is queued from now on may be missed by the claim.
    hasOthers = false;
    claim = Promise.withResolvers<void>();
    resolveNext(true);
    resolveNext = undefined;
  };
  const wake = () => {
    if (isStopped) return;
    isRequested = true;
    startClaim();
  };
  return {
    mustQueue: (workspaceId) => queued.has(workspaceId) || (isNodeFull && queued.size > 0),
    workspaceIds: () => [...queued],
    add: (workspaceId) => void queued.add(workspaceId),
    noteOthers: () => (hasOthers = true),
    update: (state) => {
      queued = new Set(state.workspaceIds);
      ({ isNodeFull } = state);
    },
    wake,
    wakeIfQueued: () => {
      if (queued.size > 0 || hasOthers) wake();
    },
    next: async () => {
      claim?.resolve();
      claim = undefined;
      if (isStopped) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      resolveNext = resolve;
      startClaim();
      return promise;
    },
    stop: async () => {
      isStopped = true;
      isRequested = false;
      resolveNext?.(false);
      resolveNext = undefined;
      await claim?.promise;
    },
    counts: createLruMap(maxCounts),
  };
}
