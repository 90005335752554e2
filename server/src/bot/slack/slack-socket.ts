import { setTimeout as sleep } from "node:timers/promises";
import type { SocketModeClient } from "@slack/socket-mode";
import { z } from "zod";
import { runStreamOnOneNode } from "#core/chat";
import type { Stream, StreamLease } from "#core/chat";
import type { Context } from "#core/context";
import { handleCommand } from "./handle-command.ts";
import { handleEvent } from "./handle-event.ts";
import { handleInteraction } from "./handle-interaction.ts";
import { messages } from "./messages.ts";
import { silent } from "./slack-call.ts";

const openTimeoutMs = 15_000;
const callTimeoutMs = 8_000;

/** The pause before another connection is opened: the first one, doubled after each failure up to the last one. */
type Pauses = { firstMs: number; lastMs: number };
const defaultPauses: Pauses = { firstMs: 500, lastMs: 60_000 };

/**
 * Receives Slack's events over a WebSocket on one of the nodes, if the service has an app-level token. Slack repeats
 * what no node has acknowledged.
 */
export function startSlackSocket(
  context: Context,
  pauses = defaultPauses,
): { stop(): Promise<void> } {
  const { SLACK_APP_TOKEN: appToken, SLACK_CLIENT_ID: clientId } = context.config;
  if (appToken === undefined || clientId === undefined) return { stop: async () => undefined };
  const stream: Stream = {
    name: `slack:${clientId}`,
    platform: "slack",
    run: (lease, signal) => listen(context, { lease, signal, appToken, pauses }),
  };
  return runStreamOnOneNode(context, stream);
}

type Listening = { lease: StreamLease; signal: AbortSignal; appToken: string; pauses: Pauses };

async function listen(
  context: Context,
  { lease, signal, appToken, pauses }: Listening,
): Promise<void> {
  // Most servers have no use for the library.
  const { SocketModeClient: Client } = await import("@slack/socket-mode");
  let pauseMs = pauses.firstMs;
  while (!signal.aborted) {
    // The library's own reconnection rejects a promise that no one handles once Slack refuses the token.
    const client = new Client({
      appToken,
      autoReconnectEnabled: false,
      logger: silent,
      clientOptions: {
        slackApiUrl: context.config.SLACK_API_URL,
        allowAbsoluteUrls: false,
        timeout: callTimeoutMs,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    });
    try {
      await connect(client, { context, signal, onOpen: () => lease.report(undefined) });
      pauseMs = pauses.firstMs;
    } catch (error) {
      context.log.warn({ err: error }, "could not connect to Slack");
      await lease.report(problemOf(error));
      pauseMs = Math.min(pauseMs * 2, pauses.lastMs);
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

type Connecting = { context: Context; signal: AbortSignal; onOpen: () => Promise<void> };

/** Handles the events of one connection until it ends. Throws if it cannot be opened. */
async function connect(
  client: SocketModeClient,
  { context, signal, onOpen }: Connecting,
): Promise<void> {
  const working = new Set<Promise<void>>();
  client.on("slack_event", (given: unknown) => {
    // An event that is not acknowledged goes to the node that takes over.
    if (signal.aborted) return;
    const work = handleEnvelope(context, given).catch((error: unknown) => {
      context.log.debug({ err: error }, "an event of Slack was not acknowledged");
    });
    working.add(work);
    void work.finally(() => working.delete(work));
  });
  const ended = new Promise<void>((resolve) => {
    client.once("disconnected", () => resolve());
  });
  const close = () => {
    client.disconnect().catch(() => undefined);
  };
  const timer = setTimeout(close, openTimeoutMs);
  const stop = () => {
    void Promise.all(working).then(close);
  };
  try {
    await client.start().finally(() => clearTimeout(timer));
    await onOpen();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    await ended;
  } finally {
    signal.removeEventListener("abort", stop);
    close();
  }
  await Promise.all(working);
}

const envelope = z.object({
  type: z.string(),
  body: z.unknown(),
  accepts_response_payload: z.boolean().optional(),
  ack: z.custom<(payload?: Record<string, unknown>) => Promise<void>>(
    (value) => typeof value === "function",
  ),
});

const payload = z.record(z.string(), z.unknown());

/** Acknowledges an event once it is in the database, with what Slack's webhooks would respond. */
async function handleEnvelope(context: Context, given: unknown): Promise<void> {
  const { type, body, ack, accepts_response_payload: isAnswerable } = envelope.parse(given);
  const handle = handlers.get(type);
  if (handle === undefined) return;
  const text = await (await handle(context, body)).text();
  const answer = text === "" || isAnswerable !== true ? undefined : payload.parse(JSON.parse(text));
  await ack(answer);
}

const handlers = new Map<string, (context: Context, body: unknown) => Promise<Response>>([
  ["events_api", handleEvent],
  ["interactive", handleInteraction],
  ["slash_commands", handleCommand],
]);

const platformError = z.object({ data: z.object({ error: z.string().max(100) }) });

function problemOf(error: unknown): string {
  const code = platformError.safeParse(error).data?.data.error;
  return code === undefined ? messages.socketUnreachable : messages.socketRefused(code);
}
