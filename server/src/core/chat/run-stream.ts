import type { ChatContext } from "./context.ts";
import { every } from "#lib/every";
import { openPosition, sealPosition } from "./sealed.ts";
import { changeStream, acquireStream, releaseStream } from "./stream-store.ts";

/** How a node holds a stream, in milliseconds. */
type LeaseTiming = {
  /** A node that died gives it back by the passing of this time. */
  leaseMs: number;
  renewEveryMs: number;
  /** Whoever could not keep it for so long stops, before another node may begin. */
  fenceMs: number;
};

const defaultTiming: LeaseTiming = { leaseMs: 10_000, renewEveryMs: 2_000, fenceMs: 8_000 };

/** A connection of ours to a platform that stays open, such as one by which its messages come. */
export type Stream = {
  /** The same on all nodes. */
  name: string;
  platform: string;
  /** Keeps it open until told to stop, which it then does within seconds. */
  run(lease: StreamLease, signal: AbortSignal): Promise<void>;
};

export type StreamLease = {
  /** How far it came, as it was kept last by whatever node. */
  position: string | undefined;
  /** Keeps how far it came, encrypted; undefined: it begins anew. Of no effect once another node has the stream. */
  savePosition(position: string | undefined): Promise<void>;
  /** Says why nothing comes by it now, for admins; undefined: all is well. */
  report(problem: string | undefined): Promise<void>;
};

type Part = Pick<ChatContext, "db" | "nodeId" | "log" | "responseSeal">;

/**
 * Sees to it that one node keeps a stream open, and that another goes on within seconds when it dies. `stop` ends
 * it here, and lets the next one begin at once.
 */
export function runStreamOnOneNode(
  context: Part,
  stream: Stream,
  { leaseMs, renewEveryMs, fenceMs }: LeaseTiming = defaultTiming,
): { stop(): Promise<void> } {
  const { db, nodeId, log } = context;
  const { name, platform } = stream;
  let current: Running | undefined;
  let fence: NodeJS.Timeout | undefined;
  const end = async () => {
    clearTimeout(fence);
    current?.stopping.abort();
    await current?.done;
    current = undefined;
  };
  const look = async () => {
    const askedAt = performance.now();
    const row = await acquireStream(db, { name, platform, nodeId, leaseMs });
    if (row === undefined) return end();
    clearTimeout(fence);
    const leftMs = fenceMs - (performance.now() - askedAt);
    fence = setTimeout(() => current?.stopping.abort(), leftMs).unref();
    const running = current;
    if (running !== undefined && !running.stopping.signal.aborted && !running.hasEnded) return;
    if (running === undefined) current = begin(context, stream, row.sealed_position);
    else {
      // It keeps how far it came as the last thing it does.
      await running.done;
      current = undefined;
      await look();
    }
  };
  const onError = (error: unknown) => log.error({ err: error, stream: name }, "a stream failed");
  let looking = look().catch(onError);
  const again = every(
    renewEveryMs,
    async () => {
      await looking;
      looking = look().catch(onError);
      await looking;
    },
    onError,
  );
  return {
    stop: async () => {
      await again.stop();
      await looking;
      await end();
      await releaseStream(db, { name, nodeId }).catch(onError);
    },
  };
}

type Running = { stopping: AbortController; done: Promise<void>; hasEnded: boolean };

function begin(context: Part, stream: Stream, sealed: string | null): Running {
  const { db, nodeId, log } = context;
  const { name } = stream;
  const stopping = new AbortController();
  const lease: StreamLease = {
    position: open(context, name, sealed),
    savePosition: (position) => {
      const closed = position === undefined ? null : sealPosition(context, name, position);
      return changeStream(db, { name, nodeId }, { sealed_position: closed });
    },
    report: (problem) => changeStream(db, { name, nodeId }, { problem: problem ?? null }),
  };
  const running: Running = { stopping, done: Promise.resolve(), hasEnded: false };
  running.done = stream
    .run(lease, stopping.signal)
    .catch((error: unknown) => log.error({ err: error, stream: name }, "a stream failed"))
    .finally(() => {
      running.hasEnded = true;
    });
  return running;
}

/** What cannot be opened any more is as good as nothing. */
function open(context: Part, name: string, sealed: string | null): string | undefined {
  if (sealed === null) return undefined;
  try {
    return openPosition(context, name, sealed);
  } catch (error) {
    context.log.warn({ err: error, stream: name }, "a stream's position could not be opened");
    return undefined;
  }
}
