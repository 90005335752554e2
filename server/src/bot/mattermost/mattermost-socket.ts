import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ChatError, runStreamOnOneNode } from "#core/chat";
import type { Stream, StreamLease } from "#core/chat";
import type { Context } from "#core/context";
import { handleEvent } from "./handle-event.ts";
import type { Bot } from "./handle-event.ts";
import { createMattermostCall } from "./mattermost-call.ts";
import { toTeamId } from "./mattermost-platform.ts";
import { id } from "./mattermost-post.ts";
import { messages } from "./messages.ts";

const pauseMs = 1_000;
const maxPauseMs = 30_000;
const defaultBeatMs = 20_000;

/** Receives the events of a Mattermost server on one of the nodes, if the service is configured for one. */
export function startMattermostSocket(
  context: Context,
  beatMs = defaultBeatMs,
): { stop(): Promise<void> } {
  const { MATTERMOST_URL: serverUrl, MATTERMOST_BOT_TOKEN: token } = context.config;
  if (serverUrl === undefined || token === undefined) return { stop: async () => undefined };
  const stream: Stream = {
    name: `mattermost:${toTeamId(serverUrl)}`,
    platform: "mattermost",
    run: (lease, signal) => listen(context, { lease, signal, serverUrl, token, beatMs }),
  };
  return runStreamOnOneNode(context, stream);
}

type Listening = {
  lease: StreamLease;
  signal: AbortSignal;
  serverUrl: string;
  token: string;
  beatMs: number;
};

async function listen(context: Context, listening: Listening): Promise<void> {
  const { lease, signal, serverUrl, token } = listening;
  const call = createMattermostCall(serverUrl, token);
  let position = readPosition(lease.position);
  let waitMs = pauseMs;
  while (!signal.aborted) {
    try {
      const me = await call.json("GET api/v4/users/me");
      const { id: userId, username } = botUser.parse(me);
      const bot = { teamId: toTeamId(serverUrl), userId, username };
      position = await connect(context, listening, { bot, position });
      waitMs = pauseMs;
    } catch (error) {
      context.log.warn({ err: error }, "could not connect to Mattermost");
      const isRefused = error instanceof ChatError && error.kind === "not_set_up";
      await lease.report(isRefused ? messages.tokenRefused : messages.unreachable);
      waitMs = Math.min(waitMs * 2, maxPauseMs);
    }
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

const botUser = z.object({ id, username: z.string() });

/** Where a session continues: Mattermost repeats the events since, if it still has them. */
type Position = { session: string; next: number };

function readPosition(stored: string | undefined): Position {
  const [session = "", next = "0"] = stored?.split(" ") ?? [];
  return { session, next: Number(next) };
}

const frame = z.object({
  event: z.string(),
  data: z.record(z.string(), z.unknown()).nullish(),
  seq: z.number(),
});
const hello = z.object({ connection_id: z.string().max(100) });

type Session = { bot: Bot; position: Position };

/** Handles the events of one connection until it ends, and returns the position. Throws if it cannot be opened. */
async function connect(
  context: Context,
  { lease, signal, serverUrl, token, beatMs }: Listening,
  { bot, position: { session: connection_id, next } }: Session,
): Promise<Position> {
  const state = { session: connection_id, next, isOpen: false, hasFailed: false };
  let working: Promise<unknown> = Promise.resolve();
  const url = new URL("api/v4/websocket", `${serverUrl.replace(/^http/, "ws")}/`);
  const asked = { connection_id, sequence_number: String(next) };
  url.search = new URLSearchParams(asked).toString();
  const socket = new WebSocket(url);
  const take = async (text: string) => {
    if (!state.isOpen) await lease.report(undefined);
    state.isOpen = true;
    const given = frame.safeParse(JSON.parse(text));
    if (state.hasFailed || !given.success) return;
    const { event, data, seq } = given.data;
    // A session that is resumed has no greeting.
    if (event === "hello") state.session = hello.parse(data).connection_id;
    await handleEvent(context, bot, { event, data: data ?? {} });
    state.next = seq + 1;
    // Only what changes a chat is worth a write.
    if (/^(?:hello|posted|post_)/.test(event)) {
      await lease.savePosition(`${state.session} ${state.next}`);
    }
  };
  // A server that has gone silent does not complete the closing handshake.
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const onMessage = ({ data }: MessageEvent) => {
    working = working
      .then(() => take(String(data)))
      .catch((error: unknown) => {
        context.log.warn({ err: error }, "an event of Mattermost was not handled");
        // The session is resumed before this event.
        state.hasFailed = true;
        end();
      });
  };
  const stop = () => end();
  socket.addEventListener("message", onMessage);
  socket.addEventListener("error", stop);
  socket.addEventListener("close", stop);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const endBeats = keepAlive(socket, { token, beatMs, onSilence: stop });
  await ended;
  endBeats();
  signal.removeEventListener("abort", stop);
  socket.removeEventListener("message", onMessage);
  socket.close();
  await working;
  if (!state.isOpen && !signal.aborted) throw new Error("Mattermost closed the connection");
  return state;
}

type KeepAlive = { token: string; beatMs: number; onSilence: () => void };

/** Authenticates, and pings the server until the returned function is called. */
function keepAlive(socket: WebSocket, { token, beatMs, onSilence }: KeepAlive): () => void {
  let seq = 1;
  let hasAnswered = true;
  const send = (request: object) => socket.send(JSON.stringify({ seq: seq++, ...request }));
  socket.addEventListener("open", () =>
    send({ action: "authentication_challenge", data: { token } }),
  );
  socket.addEventListener("message", () => {
    hasAnswered = true;
  });
  const beating = setInterval(() => {
    if (!hasAnswered) onSilence();
    hasAnswered = false;
    if (socket.readyState === WebSocket.OPEN) send({ action: "ping" });
  }, beatMs);
  return () => clearInterval(beating);
}
