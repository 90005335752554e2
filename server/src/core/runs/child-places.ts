import type { Place } from "./admission.ts";

/** The places of runs that other runs wait for, apart from everybody else's. */
export type ChildPlaces = {
  /** A place for one run at a depth, from 1. Undefined when it took too long or was called off. */
  enter(who: Who, wait: { waitMs: number; signal: AbortSignal }): Promise<Place | undefined>;
  running(): number;
};

type Who = { workspaceId: string; depth: number };

type Turn = Who & { resolve: (place: Place | undefined) => void };

type Options = { places: number; depths: number };

/**
 * Places for children of runs, of which each depth has at least one that no other depth can take. Whoever waits for a
 * child waits for a greater depth, and the greatest has nobody to wait for: so some run can always go on,
 * however many wait. A workspace has at most half of what a depth may have, and of those who wait, the one
 * whose workspace has the fewest at work comes first. There must be as many places as depths.
 */
export function createChildPlaces(options: Options): ChildPlaces {
  const atWork = createCounts(options);
  let waiting: Turn[] = [];
  const serve = () => {
    for (;;) {
      const [first] = waiting
        .filter((turn) => atWork.hasRoom(turn))
        .toSorted((one, other) => atWork.of(one) - atWork.of(other));
      if (first === undefined) return;
      waiting = waiting.filter((turn) => turn !== first);
      first.resolve(take(first));
    }
  };
  const take = (who: Who): Place => {
    atWork.count(who, 1);
    let isLeft = false;
    return {
      leave() {
        if (isLeft) return;
        isLeft = true;
        atWork.count(who, -1);
        serve();
      },
    };
  };
  return {
    running: () => atWork.all(),
    enter: async (who, { waitMs, signal }) => {
      if (signal.aborted) return undefined;
      if (atWork.hasRoom(who)) return take(who);
      const { promise, resolve } = Promise.withResolvers<Place | undefined>();
      const turn = { ...who, resolve };
      waiting.push(turn);
      const giveUp = () => {
        waiting = waiting.filter((other) => other !== turn);
        resolve(undefined);
      };
      const timer = setTimeout(giveUp, waitMs);
      signal.addEventListener("abort", giveUp, { once: true });
      return promise.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
      });
    },
  };
}

/** Who has how many, and whether one more may come. */
function createCounts({ places, depths }: Options) {
  const none = Array.from({ length: depths + 1 }, () => 0);
  const byDepth = [...none];
  const byWorkspace = new Map<string, number[]>();
  const maxOfWorkspace = Math.max(1, Math.floor((places - depths + 1) / 2));
  const own = ({ workspaceId }: Who) => byWorkspace.get(workspaceId) ?? [...none];
  return {
    all: () => sumOf(byDepth),
    of: (who: Who) => sumOf(own(who)),
    hasRoom: (who: Who) => {
      if ((own(who)[who.depth] ?? 0) >= maxOfWorkspace) return false;
      const isKept = (runs: number, depth: number) =>
        depth > 0 && depth !== who.depth && runs === 0;
      return sumOf(byDepth) + byDepth.filter(isKept).length < places;
    },
    count: (who: Who, by: 1 | -1) => {
      const counts = own(who);
      counts[who.depth] = (counts[who.depth] ?? 0) + by;
      byDepth[who.depth] = (byDepth[who.depth] ?? 0) + by;
      if (sumOf(counts) > 0) byWorkspace.set(who.workspaceId, counts);
      else byWorkspace.delete(who.workspaceId);
    },
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
