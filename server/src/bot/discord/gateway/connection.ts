import { closeToResume, endedBy } from "./close-codes.ts";
import type { Ended } from "./close-codes.ts";
import { identify, opcodes, readFrame, resume } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createTrack } from "./track.ts";
import type { Failed, Tracking } from "./track.ts";

/** Discord says hello at once, and lets us in soon after we said who we are. */
const greetingMs = 20_000;

export type Connecting = Tracking & {
  url: string;
  token: string;
  intents: number;
  /** Discord has let us in. */
  onReady: () => void;
  signal: AbortSignal;
};

/** How a connection was. */
export type Lived = {
  ended: Ended;
  /** Whether Discord had let us in. */
  wasReady: boolean;
  failed: Failed | undefined;
};

/**
 * Opens a connection to the gateway and lives with it until it ends, and what it brought is done with. Once told to
 * stop it does nothing more of what waits, for that comes again. Never throws.
 */
export async function liveWithConnection(given: Connecting): Promise<Lived> {
  const { url, signal } = given;
  const socket = new WebSocket(url);
  const { promise, resolve: end } = Promise.withResolvers<Ended>();
  const again = () => end({ kind: "again" });
  let wasReady = false;
  const greeting = setTimeout(again, greetingMs);
  const onReady = () => {
    wasReady = true;
    clearTimeout(greeting);
    given.onReady();
  };
  const track = createTrack(given, { onReady, onBroken: again });
  const send = (frame: object) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  const talk = createTalk(given, { send, end, onEvent: (event) => track.hear(event) });
  socket.addEventListener("message", talk.hear);
  // The first reason counts; whatever follows from it is no news.
  socket.addEventListener("error", again);
  socket.addEventListener("close", ({ code }) => end(endedBy(code)));
  const onStop = () => {
    track.drop();
    again();
  };
  signal.addEventListener("abort", onStop, { once: true });
  if (signal.aborted) onStop();
  const ended = await promise;
  socket.removeEventListener("message", talk.hear);
  talk.end();
  clearTimeout(greeting);
  socket.close(closeToResume);
  const failed = await track.end();
  signal.removeEventListener("abort", onStop);
  return { ended, wasReady, failed };
}

type Talking = {
  send: (frame: object) => void;
  end: (ended: Ended) => void;
  onEvent: (event: Extract<Frame, { op: 0 }>) => void;
};

/** What is said on one connection. */
function createTalk(
  { token, intents, position }: Connecting,
  { send, end, onEvent }: Talking,
): { hear: (message: MessageEvent) => void; end: () => void } {
  let lastHeard = position?.sequence;
  const again = () => end({ kind: "again" });
  const heartbeat = createHeartbeat({
    beat: () => send({ op: opcodes.heartbeat, d: lastHeard ?? null }),
    onSilence: again,
  });
  const hear = ({ data }: MessageEvent) => {
    const frame = readFrame(data);
    if (frame === "broken") return again();
    switch (frame?.op) {
      case opcodes.dispatch:
        lastHeard = frame.s;
        return onEvent(frame);
      case opcodes.heartbeat:
        return heartbeat.now();
      case opcodes.acknowledged:
        return heartbeat.answered();
      case opcodes.reconnect:
        return again();
      case opcodes.invalidSession:
        return end({ kind: frame.d ? "again" : "anew" });
      case opcodes.hello:
        heartbeat.start(frame.d.heartbeat_interval);
        return send(position === undefined ? identify(token, intents) : resume(token, position));
      default:
        return undefined;
    }
  };
  return { hear, end: () => heartbeat.stop() };
}
