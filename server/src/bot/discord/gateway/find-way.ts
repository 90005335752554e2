import { ChatError } from "#core/chat";
import { askGateway, askIntents, messageContent } from "./ask-gateway.ts";
import type { Gateway } from "./ask-gateway.ts";
import { toGatewayUrl } from "./gateway-address.ts";
import type { Keeping, State } from "./keep-session.ts";
import { rest } from "./rest.ts";

/** How often in a row it is tried to go on where Discord said; after that, where all begin. */
const maxAtResumeUrl = 3;

/** Where to connect, and what to ask for on a new session. Throws `ChatError`. */
export async function findWay(
  keeping: Keeping,
  state: State,
): Promise<{ url: string; intents: number }> {
  const { call, apiUrl } = keeping;
  const { position, failures } = state;
  const resumeUrl =
    position === undefined || failures >= maxAtResumeUrl
      ? undefined
      : toGatewayUrl(position.resumeUrl, apiUrl);
  if (resumeUrl !== undefined) return { url: resumeUrl, intents: 0 };
  const gateway = await askGateway(call);
  const url = toGatewayUrl(gateway.url, apiUrl);
  if (url === undefined) throw new ChatError("later", "ask for the gateway: a foreign address");
  if (position !== undefined) return { url, intents: 0 };
  return { url, intents: await prepareSession(keeping, state, gateway) };
}

/** Finds out what a new session may ask for, and waits until it may begin. Throws `ChatError`. */
async function prepareSession(
  { call, log, pauses, signal }: Keeping,
  state: State,
  { shards, remaining, resetAfterMs }: Gateway,
): Promise<number> {
  const intents = await askIntents(call);
  if (shards > 1) {
    log.warn(
      { shards },
      "Discord recommends more connections for so many servers; this service keeps one, which serves 2,500",
    );
  }
  if (remaining < 1) {
    log.error({ resetAfterMs }, "Discord lets the bot begin no more sessions for now");
    await rest(resetAfterMs, signal);
  }
  await rest(state.begunAt + pauses.betweenSessionsMs - performance.now(), signal);
  state.begunAt = performance.now();
  return state.isWithoutContent ? intents & ~messageContent : intents;
}
