import type { Readable } from "node:stream";
import { explained } from "./outbound-error.ts";
import type { Target } from "./target.ts";

type OpenBody = {
  /** Throws `OutboundError` if the connection breaks. */
  bytes: AsyncIterable<Uint8Array>;
  /** Closes the connection. */
  drop(): void;
};

/** A body that is read once. When the reading ends, for any reason, the body is destroyed and `release` is called. */
export function readBody(target: Target, body: Readable, release: () => void): OpenBody {
  let isOver = false;
  const drop = () => {
    if (isOver) return;
    isOver = true;
    // Destroying it makes it emit an error.
    body.on("error", () => {}).destroy();
    release();
  };
  return { bytes: read(target, body, drop), drop };
}

async function* read(target: Target, body: Readable, drop: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw explained(target, error);
  } finally {
    drop();
  }
}
