import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedJob } from "./inbox-store.ts";

/** Processes inbox jobs, several concurrently. */
export type InboxWorker = {
  /** Looks for due jobs. */
  kick(): void;
  /** The jobs in progress. */
  busyIds(): string[];
  /** Aborts a job in progress on this node. */
  abort(id: string): void;
  /** Enables `kick`. */
  start(parts: WorkerParts): void;
  /**
   * Claims no more jobs and waits for those in progress; after the grace time they are aborted and awaited a little
   * longer. Another node or the next start requeues the rest.
   */
  stop(graceMs: number): Promise<void>;
};

type WorkerParts = {
  /** Claims one job; undefined when none is due. */
  claim: () => Promise<ClaimedJob | undefined>;
  process: (job: ClaimedJob, signal: AbortSignal) => Promise<void>;
  onError: (error: unknown) => void;
};

const atOnce = 16;
/** The pause between claims, so that a burst of messages is received before all of them are processed. */
const pauseMs = 40;
const pauseAfterErrorMs = 500;
/** Time for a pending platform request to finish. */
const requestMs = 3_000;

type Busy = { done: Promise<void>; aborting: AbortController };

export function createInboxWorker(): InboxWorker {
  const busy = new Map<string, Busy>();
  const stopping = new AbortController();
  const state = { isStopped: false, isWanted: false };
  let parts: WorkerParts | undefined;
  let looking: Promise<void> | undefined;

  const processOne = async ({ claim, process, onError }: WorkerParts): Promise<boolean> => {
    try {
      const job = await claim();
      if (job === undefined) return false;
      const aborting = new AbortController();
      const signal = AbortSignal.any([stopping.signal, aborting.signal]);
      const done = process(job, signal).catch(onError);
      const end = () => {
        busy.delete(job.id);
        // The next job of the thread is due now.
        kick();
      };
      busy.set(job.id, { done: done.then(end), aborting });
      await sleep(pauseMs, undefined, { ref: false });
      return true;
    } catch (error) {
      onError(error);
      await sleep(pauseAfterErrorMs, undefined, { ref: false });
      return true;
    }
  };
  const look = async (given: WorkerParts) => {
    while (state.isWanted) {
      state.isWanted = false;
      while (!state.isStopped && busy.size < atOnce && (await processOne(given)));
    }
  };
  const kick = () => {
    if (state.isStopped) return;
    state.isWanted = true;
    if (parts === undefined) return;
    looking ??= look(parts).then(() => {
      looking = undefined;
      // `kick` may have been called after the last claim.
      if (state.isWanted) kick();
    });
  };
  return {
    kick,
    busyIds: () => [...busy.keys()],
    abort: (id) => busy.get(id)?.aborting.abort(),
    start: (given) => {
      parts = given;
      kick();
    },
    stop: async (graceMs) => {
      state.isStopped = true;
      state.isWanted = false;
      const timer = setTimeout(() => stopping.abort(), graceMs);
      await looking;
      const left = Promise.all([...busy.values()].map(({ done }) => done));
      await Promise.race([left, sleep(graceMs + requestMs, undefined, { ref: false })]);
      clearTimeout(timer);
    },
  };
}
