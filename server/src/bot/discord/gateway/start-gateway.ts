import { runStreamOnOneNode } from "#core/chat";
import type { StreamLease, Stream } from "#core/chat";
import type { Context } from "#core/context";
import { every } from "#lib/every";
import { createDiscordCall } from "../discord-call.ts";
import { runSession } from "./run-session.ts";
import { defaultPauses } from "./session-options.ts";
import type { Pauses } from "./session-options.ts";
import { createChannelLookup } from "./channel-lookup.ts";
import { readPosition, writePosition } from "./position.ts";
import { handleEvent, wantedEvents } from "./handle-event.ts";

/**
 * The interval of storing the position. After a crash, Discord replays the events since, and known ones are ignored.
 */
const storeEveryMs = 2_000;

/**
 * Receives the events of Discord's servers on one of the nodes, if the service is configured for Discord. After `stop`,
 * another node or the next start continues the session.
 */
export function startDiscordGateway(context: Context): { stop(): Promise<void> } {
  const stream = createGatewayStream(context, defaultPauses);
  return stream === undefined
    ? { stop: async () => undefined }
    : runStreamOnOneNode(context, stream);
}

/** Undefined if the service is not configured for Discord. */
export function createGatewayStream(context: Context, pauses: Pauses): Stream | undefined {
  const { DISCORD_APPLICATION_ID: applicationId, DISCORD_BOT_TOKEN: token } = context.config;
  if (applicationId === undefined || token === undefined) return undefined;
  return {
    name: `discord:${applicationId}`,
    platform: "discord",
    run: (lease, signal) => listen(context, { lease, signal, token, pauses }),
  };
}

type Listening = { lease: StreamLease; signal: AbortSignal; token: string; pauses: Pauses };

async function listen(
  context: Context,
  { lease, signal, token, pauses }: Listening,
): Promise<void> {
  const { config, log } = context;
  const apiUrl = config.DISCORD_API_URL;
  const call = createDiscordCall(apiUrl, `Bot ${token}`);
  const lookup = createChannelLookup(call);
  let stored = lease.position;
  let latest = stored;
  const store = async () => {
    const now = latest;
    if (now === stored) return;
    await lease.savePosition(now);
    stored = now;
  };
  const onError = (error: unknown) =>
    log.warn({ err: error }, "could not save the position in the Discord gateway session");
  const storing = every(storeEveryMs, store, onError);
  let reported: string | undefined | null = null;
  const report = (problem: string | undefined) => {
    if (problem === reported) return;
    reported = problem;
    lease.report(problem).catch(onError);
  };
  await runSession({
    apiUrl,
    call,
    log,
    pauses,
    token,
    signal,
    wanted: wantedEvents,
    position: readPosition(lease.position),
    onProblem: report,
    take: (event, position) => handleEvent(context, lookup, event, position),
    onMove: async (position, isNew) => {
      latest = writePosition(position);
      if (isNew) await store();
    },
  });
  await storing.stop();
  await store().catch(onError);
}
