import { ServiceError } from "#core/errors";

/** Lets a fixed number of builds work at once, shared fairly among workspaces. */
export type BuildQueue = {
  /**
   * Waits for a slot, in turn with other workspaces, and gives the function that returns it. Throws `rate_limited`
   * when too many builds of the workspace wait already, and the signal's reason when that aborts first.
   */
  enter(workspaceId: string, signal: AbortSignal): Promise<() => void>;
  stats(): { running: number; queued: number };
};

type Line = { running: number; waiting: (() => void)[] };

/**
 * A free slot goes to the workspace with the fewest builds at work, and among equals to the one that has waited
 * longest since its last turn. One that has a slot gets another only while more than half of them are free, so
 * that a workspace, or two, cannot hold all.
 */
export function createBuildQueue(slots: number, maxQueued: number): BuildQueue {
  // The order is that of the last turn.
  const lines = new Map<string, Line>();
  let free = slots;

  const mayStart = ({ running }: Line) => free > 0 && (running === 0 || free > slots / 2);

  const startNext = () => {
    for (;;) {
      const ready = [...lines].filter(([, line]) => line.waiting.length > 0 && mayStart(line));
      const [next] = ready.toSorted(([, a], [, b]) => a.running - b.running);
      if (next === undefined) return;
      const [workspaceId, line] = next;
      toEnd(workspaceId, line);
      take(line);
      line.waiting.shift()?.();
    }
  };

  const toEnd = (workspaceId: string, line: Line) => {
    lines.delete(workspaceId);
    lines.set(workspaceId, line);
  };

  const take = (line: Line) => {
    free -= 1;
    line.running += 1;
  };

  const leave = (workspaceId: string, line: Line) => {
    free += 1;
    line.running -= 1;
    toEnd(workspaceId, line);
    forgetIdle(workspaceId, line);
    startNext();
  };

  const forgetIdle = (workspaceId: string, line: Line) => {
    if (line.running === 0 && line.waiting.length === 0) lines.delete(workspaceId);
  };

  return {
    async enter(workspaceId, signal) {
      signal.throwIfAborted();
      const line = lines.get(workspaceId) ?? { running: 0, waiting: [] };
      lines.set(workspaceId, line);
      if (line.waiting.length === 0 && mayStart(line)) take(line);
      else {
        if (line.waiting.length >= maxQueued) throw tooManyWait(maxQueued);
        await untilTurn(line, signal, () => forgetIdle(workspaceId, line));
      }
      let isOver = false;
      return () => {
        if (!isOver) leave(workspaceId, line);
        isOver = true;
      };
    },
    stats: () => {
      const queued = [...lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
      return { running: slots - free, queued };
    },
  };
}

async function untilTurn(line: Line, signal: AbortSignal, onLeave: () => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => {
    const at = line.waiting.indexOf(resolve);
    // Its turn came at the same moment; the slot is used, and returned by whoever sees the signal next.
    if (at === -1) return;
    line.waiting.splice(at, 1);
    onLeave();
    reject(signal.reason as Error);
  };
  line.waiting.push(resolve);
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
