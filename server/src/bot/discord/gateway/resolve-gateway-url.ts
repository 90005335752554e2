import { ChatError } from "#core/chat";
import { fetchGateway, fetchIntents, messageContent } from "./fetch-gateway.ts";
import type { Gateway } from "./fetch-gateway.ts";
import { toGatewayUrl } from "./to-gateway-url.ts";
import type { SessionOptions, SessionState } from "./session-options.ts";
import { abortableDelay } from "./abortable-delay.ts";

/** After so many consecutive failures, the general gateway URL is used to resume. */
const maxAtResumeUrl = 3;

/** The URL to connect to, and the intents of a new session. Throws `ChatError`. */
export async function resolveGatewayUrl(
  options: SessionOptions,
  state: SessionState,
): Promise<{ url: string; intents: number }> {
  const { call, apiUrl } = options;
  const { position, failures } = state;
  const resumeUrl =
    position === undefined || failures >= maxAtResumeUrl
      ? undefined
      : toGatewayUrl(position.resumeUrl, apiUrl);
  if (resumeUrl !== undefined) return { url: resumeUrl, intents: 0 };
  const gateway = await fetchGateway(call);
  const url = toGatewayUrl(gateway.url, apiUrl);
  if (url === undefined) throw new ChatError("later", "get the gateway: not a Discord URL");
  if (position !== undefined) return { url, intents: 0 };
  return { url, intents: await prepareSession(options, state, gateway) };
}

/** Determines the intents of a new session, and waits until Discord allows one. Throws `ChatError`. */
async function prepareSession(
  { call, log, pauses, signal }: SessionOptions,
  state: SessionState,
  { shards, remaining, resetAfterMs }: Gateway,
): Promise<number> {
  const intents = await fetchIntents(call);
  if (shards > 1) {
    log.warn(
      { shards },
      "Discord recommends more shards for so many servers; this service uses one, which serves up to 2,500",
    );
  }
  if (remaining < 1) {
    log.error({ resetAfterMs }, "Discord's limit of new sessions is reached");
    await abortableDelay(resetAfterMs, signal);
  }
  await abortableDelay(state.startedAt + pauses.betweenSessionsMs - performance.now(), signal);
  state.startedAt = performance.now();
  return state.isWithoutContent ? intents & ~messageContent : intents;
}
