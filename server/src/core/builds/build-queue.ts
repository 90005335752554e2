import { ServiceError } from "#core/kernel";

/** Builds with npm packages may take long, so they have slots of their own. */
export type Lane = "packages" | "plain";

/** A person in a workspace. */
export type Owner = { workspaceId: string; userId: string };

/** Runs a fixed number of builds concurrently, shared fairly among workspaces and users. */
export type BuildQueue = {
  /**
   * Waits for a slot and returns the function that releases it. Throws `rate_limited` if too many builds of the
   * workspace are queued, and the signal's reason if it aborts first.
   */
  enter(owner: Owner, signal: AbortSignal): Promise<() => void>;
  stats(): { running: number; queued: number };
};

type Waiting = { userId: string; start: () => void };
type Line = { running: number; waiting: Waiting[] };

/**
 * A free slot goes to the workspace with the fewest running builds, and among equals to the one whose last turn is longest
 * ago. A workspace or a user with a slot gets another only while more than half of the slots are free, so that neither can
 * occupy all of them, even a user with many workspaces.
 */
export function createBuildQueue(slots: number, maxQueued: number): BuildQueue {
  // Ordered by last turn, oldest first.
  const lines = new Map<string, Line>();
  const people = createCounts();
  let free = slots;

  const mayStart = ({ running }: Line, userId: string) =>
    free > 0 && ((running === 0 && people.get(userId) === 0) || free > slots / 2);

  const startNext = () => {
    for (;;) {
      const ready = [...lines].flatMap(([workspaceId, line]) => {
        const next = line.waiting.find(({ userId }) => mayStart(line, userId));
        return next === undefined ? [] : [{ workspaceId, line, next }];
      });
      const [first] = ready.toSorted((a, b) => a.line.running - b.line.running);
      if (first === undefined) return;
      const { workspaceId, line, next } = first;
      toEnd(lines, workspaceId, line);
      take(line, next.userId);
      line.waiting.splice(line.waiting.indexOf(next), 1);
      next.start();
    }
  };

  const take = (line: Line, userId: string) => {
    free -= 1;
    line.running += 1;
    people.add(userId, 1);
  };

  const leave = ({ workspaceId, userId }: Owner, line: Line) => {
    free += 1;
    line.running -= 1;
    people.add(userId, -1);
    toEnd(lines, workspaceId, line);
    forgetIdle(workspaceId, line);
    startNext();
  };

  const forgetIdle = (workspaceId: string, line: Line) => {
    if (line.running === 0 && line.waiting.length === 0) lines.delete(workspaceId);
  };

  return {
    async enter(owner, signal) {
      const { workspaceId, userId } = owner;
      signal.throwIfAborted();
      const line = lines.get(workspaceId) ?? { running: 0, waiting: [] };
      lines.set(workspaceId, line);
      // Queued builds cannot start now, or they would have.
      if (mayStart(line, userId)) take(line, userId);
      else {
        if (line.waiting.length >= maxQueued) throw tooManyWait(maxQueued);
        await untilTurn(line, { userId, signal, onLeave: () => forgetIdle(workspaceId, line) });
      }
      let isOver = false;
      return () => {
        if (!isOver) leave(owner, line);
        isOver = true;
      };
    },
    stats: () => {
      const queued = [...lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
      return { running: slots - free, queued };
    },
  };
}

function toEnd<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}

/** Counters by name; a counter at 0 uses no memory. */
function createCounts() {
  const counts = new Map<string, number>();
  const get = (name: string) => counts.get(name) ?? 0;
  return {
    get,
    add: (name: string, change: 1 | -1) => {
      const count = get(name) + change;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
}

type Stay = { userId: string; signal: AbortSignal; onLeave: () => void };

async function untilTurn(line: Line, { userId, signal, onLeave }: Stay): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiting = { userId, start: resolve };
  const onAbort = () => {
    const at = line.waiting.indexOf(waiting);
    // The slot was assigned at the same moment; the build that sees the signal next releases it.
    if (at === -1) return;
    line.waiting.splice(at, 1);
    onLeave();
    reject(signal.reason as Error);
  };
  line.waiting.push(waiting);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function tooManyWait(maxQueued: number): ServiceError {
  const message = `This workspace already has ${maxQueued} builds waiting. Retry when some have finished.`;
  return new ServiceError("rate_limited", message, { retryAfterSeconds: 10 });
}
