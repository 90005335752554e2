import { closeToResume, endedBy } from "./close-codes.ts";
import type { Ended } from "./close-codes.ts";
import { identify, opcodes, readFrame, resume } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createEventCursor } from "./event-cursor.ts";
import type { CursorOptions, FailedEvent } from "./event-cursor.ts";

/** Discord sends `HELLO` immediately, and `READY` or `RESUMED` soon after the first frame from here. */
const greetingMs = 20_000;

export type ConnectionOptions = CursorOptions & {
  url: string;
  token: string;
  intents: number;
  /** Called once the session is ready or resumed. */
  onReady: () => void;
  signal: AbortSignal;
};

/** How a connection ended. */
export type ConnectionResult = {
  ended: Ended;
  /** Whether the session was ready or resumed. */
  wasReady: boolean;
  failed: FailedEvent | undefined;
};

/**
 * Runs one connection to the gateway until it has ended and its events are handled. When aborted, it drops queued events,
 * because Discord replays them when the session resumes. Never throws.
 */
export async function runConnection(options: ConnectionOptions): Promise<ConnectionResult> {
  const { url, signal } = options;
  const socket = new WebSocket(url);
  const { promise, resolve: end } = Promise.withResolvers<Ended>();
  const reconnect = () => end({ kind: "resume" });
  let wasReady = false;
  const greeting = setTimeout(reconnect, greetingMs);
  const onReady = () => {
    wasReady = true;
    clearTimeout(greeting);
    options.onReady();
  };
  const cursor = createEventCursor(options, { onReady, onBroken: reconnect });
  const send = (frame: object) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  const protocol = createProtocol(options, { send, end, onEvent: (event) => cursor.push(event) });
  socket.addEventListener("message", protocol.handle);
  // Only the first reason counts.
  socket.addEventListener("error", reconnect);
  socket.addEventListener("close", ({ code }) => end(endedBy(code)));
  const onStop = () => {
    cursor.drop();
    reconnect();
  };
  signal.addEventListener("abort", onStop, { once: true });
  if (signal.aborted) onStop();
  const ended = await promise;
  socket.removeEventListener("message", protocol.handle);
  protocol.end();
  clearTimeout(greeting);
  socket.close(closeToResume);
  const failed = await cursor.end();
  signal.removeEventListener("abort", onStop);
  return { ended, wasReady, failed };
}

type ProtocolOptions = {
  send: (frame: object) => void;
  end: (ended: Ended) => void;
  onEvent: (event: Extract<Frame, { op: 0 }>) => void;
};

/** The protocol of one connection. */
function createProtocol(
  { token, intents, position }: ConnectionOptions,
  { send, end, onEvent }: ProtocolOptions,
): { handle: (message: MessageEvent) => void; end: () => void } {
  let lastSequence = position?.sequence;
  const reconnect = () => end({ kind: "resume" });
  const heartbeat = createHeartbeat({
    beat: () => send({ op: opcodes.heartbeat, d: lastSequence ?? null }),
    onSilence: reconnect,
  });
  const handle = ({ data }: MessageEvent) => {
    const frame = readFrame(data);
    if (frame === "broken") return reconnect();
    switch (frame?.op) {
      case opcodes.dispatch:
        lastSequence = frame.s;
        return onEvent(frame);
      case opcodes.heartbeat:
        return heartbeat.now();
      case opcodes.acknowledged:
        return heartbeat.answered();
      case opcodes.reconnect:
        return reconnect();
      case opcodes.invalidSession:
        return end({ kind: frame.d ? "resume" : "restart" });
      case opcodes.hello:
        heartbeat.start(frame.d.heartbeat_interval);
        return send(position === undefined ? identify(token, intents) : resume(token, position));
      default:
        return undefined;
    }
  };
  return { handle, end: () => heartbeat.stop() };
}
