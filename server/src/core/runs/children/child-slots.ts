import type { Slot } from "../queue/admission.ts";

/** Slots of child runs, separate from those of all other runs. */
export type ChildSlots = {
  /** A slot for one run at a depth, from 1. Undefined after the timeout, or when the signal aborts. */
  acquire(run: ChildRun, wait: { waitMs: number; signal: AbortSignal }): Promise<Slot | undefined>;
  running(): number;
};

type ChildRun = { workspaceId: string; depth: number };

type Waiter = ChildRun & { resolve: (slot: Slot | undefined) => void };

type Options = { slots: number; depths: number };

/**
 * Slots for child runs, of which each depth has at least one that no other depth can take. A run waits only for runs at greater
 * depths, and those at the greatest wait for none, so there is no deadlock. A workspace gets at most half of what a depth may
 * have, and the waiting run whose workspace has the fewest running ones comes first. There must be as many slots as depths.
 */
export function createChildSlots(options: Options): ChildSlots {
  const counts = createCounts(options);
  let waiting: Waiter[] = [];
  const serve = () => {
    for (;;) {
      const [first] = waiting
        .filter((waiter) => counts.hasRoom(waiter))
        .toSorted((one, other) => counts.of(one) - counts.of(other));
      if (first === undefined) return;
      waiting = waiting.filter((waiter) => waiter !== first);
      first.resolve(take(first));
    }
  };
  const take = (run: ChildRun): Slot => {
    counts.add(run, 1);
    let isReleased = false;
    return {
      release() {
        if (isReleased) return;
        isReleased = true;
        counts.add(run, -1);
        serve();
      },
    };
  };
  return {
    running: () => counts.all(),
    acquire: async (run, { waitMs, signal }) => {
      if (signal.aborted) return undefined;
      if (counts.hasRoom(run)) return take(run);
      const { promise, resolve } = Promise.withResolvers<Slot | undefined>();
      const waiter = { ...run, resolve };
      waiting.push(waiter);
      const stopWaiting = () => {
        waiting = waiting.filter((other) => other !== waiter);
        resolve(undefined);
      };
      const timer = setTimeout(stopWaiting, waitMs);
      signal.addEventListener("abort", stopWaiting, { once: true });
      return promise.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stopWaiting);
      });
    },
  };
}

/** Counts the running child runs by depth and workspace. */
function createCounts({ slots, depths }: Options) {
  const none = Array.from({ length: depths + 1 }, () => 0);
  const byDepth = [...none];
  const byWorkspace = new Map<string, number[]>();
  const maxOfWorkspace = Math.max(1, Math.floor((slots - depths + 1) / 2));
  const own = ({ workspaceId }: ChildRun) => byWorkspace.get(workspaceId) ?? [...none];
  return {
    all: () => sumOf(byDepth),
    of: (run: ChildRun) => sumOf(own(run)),
    hasRoom: (run: ChildRun) => {
      if ((own(run)[run.depth] ?? 0) >= maxOfWorkspace) return false;
      const isReserved = (runs: number, depth: number) =>
        depth > 0 && depth !== run.depth && runs === 0;
      return sumOf(byDepth) + byDepth.filter(isReserved).length < slots;
    },
    add: ({ workspaceId, depth }: ChildRun, by: 1 | -1) => {
      const counts = own({ workspaceId, depth });
      counts[depth] = (counts[depth] ?? 0) + by;
      byDepth[depth] = (byDepth[depth] ?? 0) + by;
      if (sumOf(counts) > 0) byWorkspace.set(workspaceId, counts);
      else byWorkspace.delete(workspaceId);
    },
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
