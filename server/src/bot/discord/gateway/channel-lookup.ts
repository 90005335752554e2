import { z } from "zod";
import { createLruMap } from "#lib/lru";
import type { CallDiscord } from "../discord-call.ts";
import { threadTypes } from "../discord-thread.ts";

/** Facts about a message that its event lacks. */
export type ChannelLookup = {
  /** Whether a channel is a thread. */
  isThread(channel: string): Promise<boolean>;
  /** The managed role of the bot, whose mention addresses the bot. */
  findOwnRole(guildId: string, botUserId: string): Promise<string | undefined>;
};

const cacheSize = 5_000;

const channelKind = z.object({ type: z.number().int() });
const roles = z.array(
  z.object({ id: z.string(), tags: z.object({ bot_id: z.string().optional() }).optional() }),
);

/** Caches the answers, which do not change. Throws `ChatError`. */
export function createChannelLookup(call: CallDiscord): ChannelLookup {
  const threads = createLruMap<string, boolean>(cacheSize);
  const ownRoles = createLruMap<string, string>(cacheSize);
  return {
    isThread: async (channel) => {
      const known = threads.get(channel);
      if (known !== undefined) return known;
      const path = `channels/${channel}`;
      const found = channelKind.parse(await call({ label: "get a channel", method: "GET", path }));
      const isThread = threadTypes.has(found.type);
      threads.set(channel, isThread);
      return isThread;
    },
    findOwnRole: async (guildId, botUserId) => {
      const known = ownRoles.get(guildId);
      if (known !== undefined) return known;
      const path = `guilds/${guildId}/roles`;
      const found = roles.parse(await call({ label: "get the roles", method: "GET", path }));
      const own = found.find(({ tags }) => tags?.bot_id === botUserId)?.id;
      if (own !== undefined) ownRoles.set(guildId, own);
      return own;
    },
  };
}
