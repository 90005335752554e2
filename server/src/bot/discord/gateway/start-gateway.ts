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

/** After a crash, so much of what was taken comes again, and is known. */
const keepEveryMs = 2_000;

/**
 * Hears what is said in Discord's servers, on one of the nodes, if the server is set up for Discord. `stop` lets
 * another node, or the next start, go on where this one was.
 */
export function startDiscordGateway(context: Context): { stop(): Promise<void> } {
  const stream = createGatewayStream(context, defaultPauses);
  return stream === undefined
    ? { stop: async () => undefined }
    : runStreamOnOneNode(context, stream);
}

/** Undefined on a server that is not set up for Discord. */
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
  let kept = lease.position;
  let reached = kept;
  const keep = async () => {
    const now = reached;
    if (now === kept) return;
    await lease.savePosition(now);
    kept = now;
  };
  const onError = (error: unknown) =>
    log.warn({ err: error }, "could not save the position in the Discord gateway session");
  const keeping = every(keepEveryMs, keep, onError);
  let told: string | undefined | null = null;
  const tell = (problem: string | undefined) => {
    if (problem === told) return;
    told = problem;
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
    onProblem: tell,
    take: (event, position) => handleEvent(context, lookup, event, position),
    onMove: async (position, isNew) => {
      reached = writePosition(position);
      if (isNew) await keep();
    },
  });
  await keeping.stop();
  await keep().catch(onError);
}
