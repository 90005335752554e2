import type { ChatContext } from "./context.ts";
import { every } from "#lib/every";
import { openPosition, sealPosition } from "./sealed.ts";
import { changeStream, acquireStream, releaseStream } from "./stream-store.ts";

/** The timing of a stream lease, in milliseconds. */
type LeaseTiming = {
  /** After this time, another node takes over from one that stopped. */
  leaseMs: number;
  renewEveryMs: number;
  /** A node that could not renew the lease for this long stops, before another one starts. */
  fenceMs: number;
};

const defaultTiming: LeaseTiming = { leaseMs: 10_000, renewEveryMs: 2_000, fenceMs: 8_000 };

/** A long-lived connection to a platform, such as Discord's gateway. */
export type Stream = {
  /** Identifies the stream on all nodes. */
  name: string;
  platform: string;
  /** Runs until aborted, and then stops within seconds. */
  run(lease: StreamLease, signal: AbortSignal): Promise<void>;
};

export type StreamLease = {
  /** The last stored position, of any node. */
  position: string | undefined;
  /** Stores the position encrypted; undefined to start over. No effect once another node has the lease. */
  savePosition(position: string | undefined): Promise<void>;
  /** Reports for admins why nothing arrives; undefined when all is well. */
  report(problem: string | undefined): Promise<void>;
};

type Part = Pick<ChatContext, "db" | "nodeId" | "log" | "responseSeal">;

/**
 * Runs a stream on exactly one node, and on another within seconds if that one stops. `stop` ends it here and
 * immediately releases the lease.
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
    if (running === undefined) current = start(context, stream, row.sealed_position);
    else {
      // The stream stores its position last, so await its end.
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

function start(context: Part, stream: Stream, sealed: string | null): Running {
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

/** A position that cannot be decrypted counts as none. */
function open(context: Part, name: string, sealed: string | null): string | undefined {
  if (sealed === null) return undefined;
  try {
    return openPosition(context, name, sealed);
  } catch (error) {
    context.log.warn({ err: error, stream: name }, "a stream's position could not be decrypted");
    return undefined;
  }
}
