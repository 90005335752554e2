import { z } from "zod";
import { ChatError } from "#core/chat";
import type { CallDiscord } from "../discord-call.ts";

const gateway = z.object({
  url: z.string().max(500),
  shards: z.number().int().min(1),
  session_start_limit: z.object({
    remaining: z.number().int(),
    reset_after: z.number().min(0),
  }),
});

/** Where and how often the bot may connect. */
export type Gateway = {
  url: string;
  /** The recommended number of shards. */
  shards: number;
  /** How many sessions may still be started, until the limit resets after `resetAfterMs`. */
  remaining: number;
  resetAfterMs: number;
};

/** Gets the URL and limits of the gateway. Throws `ChatError`. */
export async function fetchGateway(call: CallDiscord): Promise<Gateway> {
  const answer = await call({ label: "get the gateway", method: "GET", path: "gateway/bot" });
  const parsed = gateway.safeParse(answer);
  if (!parsed.success) throw new ChatError("later", "get the gateway: invalid response");
  const { url, shards, session_start_limit: limit } = parsed.data;
  return { url, shards, remaining: limit.remaining, resetAfterMs: limit.reset_after };
}

const guilds = 1 << 0;
const guildMessages = 1 << 9;
export const messageContent = 1 << 15;

const application = z.object({ flags: z.number().int().default(0) });
const contentFlags = (1 << 18) | (1 << 19);

/**
 * The intents of a session: messages of servers, including the content of messages that do not mention the bot if the
 * application may read it. Throws `ChatError`.
 */
export async function fetchIntents(call: CallDiscord): Promise<number> {
  const path = "applications/@me";
  const answer = await call({ label: "get the application", method: "GET", path });
  const flags = application.safeParse(answer).data?.flags ?? 0;
  return guilds | guildMessages | ((flags & contentFlags) === 0 ? 0 : messageContent);
}
