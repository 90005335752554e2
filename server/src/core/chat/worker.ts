import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedJob } from "./inbox-store.ts";

/** Works on what is in the inbox, some of it at once. */
export type ChatWorker = {
  /** There may be something to do. */
  kick(): void;
  /** What it works on now. */
  busyIds(): string[];
  /** From now on kicks do something. */
  start(parts: WorkerParts): void;
  /**
   * Takes nothing more, and lets what it works on end; after the grace time it tells that to stop, and waits for it
   * a little longer. What goes on even then is taken up again by another node or the next start.
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
/** Between two that are begun, so that a crowd of messages is taken before all of them are worked on. */
const pauseMs = 40;
const pauseAfterErrorMs = 500;
/** A request to a platform that is under way ends by itself. */
const obeyMs = 3_000;

export function createChatWorker(): ChatWorker {
  const busy = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const state = { isStopped: false, isWanted: false };
  let parts: WorkerParts | undefined;
  let looking: Promise<void> | undefined;

  const processOne = async ({ claim, process, onError }: WorkerParts): Promise<boolean> => {
    try {
      const job = await claim();
      if (job === undefined) return false;
      const done = process(job, stopping.signal).then(undefined, onError);
      busy.set(
        job.id,
        done.then(() => {
          busy.delete(job.id);
          // The next of its thread may go on now.
          kick();
        }),
      );
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
      // A kick may have come after the last look.
      if (state.isWanted) kick();
    });
  };
  return {
    kick,
    busyIds: () => [...busy.keys()],
    start: (given) => {
      parts = given;
      kick();
    },
    stop: async (graceMs) => {
      state.isStopped = true;
      state.isWanted = false;
      const timer = setTimeout(() => stopping.abort(), graceMs);
      await looking;
      const left = Promise.all(busy.values());
      await Promise.race([left, sleep(graceMs + obeyMs, undefined, { ref: false })]);
      clearTimeout(timer);
    },
  };
}
