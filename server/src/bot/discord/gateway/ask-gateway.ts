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

/** What Discord says about connecting. */
export type Gateway = {
  url: string;
  /** On how many connections Discord would have us spread the servers. */
  shards: number;
  /** How many sessions we may still begin, and after how many milliseconds there will be more. */
  remaining: number;
  resetAfterMs: number;
};

/** Asks where the gateway is. Throws `ChatError`. */
export async function askGateway(call: CallDiscord): Promise<Gateway> {
  const answer = await call({ label: "ask for the gateway", method: "GET", path: "gateway/bot" });
  const parsed = gateway.safeParse(answer);
  if (!parsed.success) throw new ChatError("later", "ask for the gateway: no answer");
  const { url, shards, session_start_limit: limit } = parsed.data;
  return { url, shards, remaining: limit.remaining, resetAfterMs: limit.reset_after };
}

const guilds = 1 << 0;
const guildMessages = 1 << 9;
export const messageContent = 1 << 15;

const application = z.object({ flags: z.number().int().default(0) });
const contentFlags = (1 << 18) | (1 << 19);

/**
 * What we want to be told of: messages of servers, and what those say that do not mention us only where the
 * application was allowed that. Throws `ChatError`.
 */
export async function askIntents(call: CallDiscord): Promise<number> {
  const path = "applications/@me";
  const answer = await call({ label: "look at the application", method: "GET", path });
  const flags = application.safeParse(answer).data?.flags ?? 0;
  return guilds | guildMessages | ((flags & contentFlags) === 0 ? 0 : messageContent);
}
