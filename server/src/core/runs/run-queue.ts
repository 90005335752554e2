import { setTimeout as sleep } from "node:timers/promises";
import type { RunsContext } from "./context.ts";
import { findNextInLine } from "./next-in-line.ts";
import type { Startable } from "./next-in-line.ts";
import { takeRuns } from "./queue-store.ts";
import { startTakenRun } from "./start-run.ts";

/** What this node knows of the runs that wait in the database. */
export type RunQueue = {
  /** Whether runs that came before those of the workspace wait, so that a new one has to line up. */
  mustWait(workspaceId: string): boolean;
  /** Whether nothing waits, as far as this node knows. */
  isEmpty(): boolean;
  /** A run of the workspace was put into the queue here. */
  note(workspaceId: string): void;
  /** A place is free or a run waits: looks soon whether both is so. */
  wake(): void;
  /** From now on kicks do something. */
  start(look: () => Promise<Look>, onError: (error: unknown) => void): void;
  /** Takes no more runs; resolves when none is being taken. */
  stop(): Promise<void>;
};

/** What a look at the queue found. */
export type Look = {
  /** Workspaces whose runs wait. */
  waiting: readonly string[];
  /** Some of them wait for this node alone, not for their own workspace. */
  isNodeFull: boolean;
};

const pauseAfterErrorMs = 500;

export function createRunQueue(): RunQueue {
  let waiting = new Set<string>();
  let isNodeFull = false;
  let isStopped = false;
  let isWanted = false;
  let current: Promise<void> | undefined;
  let look: (() => Promise<void>) | undefined;
  const work = async () => {
    // Stopping takes the wish away.
    while (isWanted) {
      isWanted = false;
      // One look at a time: what comes meanwhile is seen by the next.
      // oxlint-disable-next-line no-await-in-loop
      await look?.();
    }
    current = undefined;
  };
  const wake = () => {
    if (isStopped) return;
    isWanted = true;
    if (look === undefined) return;
    current ??= work();
  };
  return {
    mustWait: (workspaceId) => waiting.has(workspaceId) || (isNodeFull && waiting.size > 0),
    isEmpty: () => waiting.size === 0,
    note: (workspaceId) => void waiting.add(workspaceId),
    wake,
    start: (once, onError) => {
      look = async () => {
        try {
          const found = await once();
          waiting = new Set(found.waiting);
          ({ isNodeFull } = found);
        } catch (error) {
          onError(error);
          await sleep(pauseAfterErrorMs, undefined, { ref: false });
        }
      };
      if (isWanted) wake();
    },
    stop: async () => {
      isStopped = true;
      isWanted = false;
      await current;
    },
  };
}

/** Takes as many waiting runs as this node has places for and starts them. */
export async function takeWaitingRuns(context: RunsContext): Promise<Look> {
  const { sandbox } = context;
  const { admission } = context.runs;
  const places = sandbox.status().ready ? admission.free() : 0;
  const { next, waiting } = await findNextInLine(context, places);
  if (next.length > 0) await take(context, next);
  return { waiting, isNodeFull: admission.free() <= 0 };
}

async function take(context: RunsContext, next: readonly Startable[]): Promise<void> {
  const { db, nodeId, clock } = context;
  const { admission } = context.runs;
  const places = new Map(
    next.flatMap(({ id, workspaceId }) => {
      // The database counted this node's runs too, but may lag behind: both have to agree.
      const place = admission.enter(workspaceId, 0);
      return place === undefined ? [] : [[id, place] as const];
    }),
  );
  if (places.size === 0) return;
  try {
    for (const run of await takeRuns(db, [...places.keys()], nodeId, clock.now())) {
      const place = places.get(run.id);
      places.delete(run.id);
      if (place !== undefined) startTakenRun(context, run, place);
    }
  } finally {
    for (const place of places.values()) place.leave();
  }
}
