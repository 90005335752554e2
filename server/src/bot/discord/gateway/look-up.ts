import { z } from "zod";
import { createLruMap } from "#lib/lru";
import type { CallDiscord } from "../discord-call.ts";
import { threadTypes } from "../discord-thread.ts";

/** What the gateway does not say of a message. */
export type LookUp = {
  /** Whether a channel is a thread. */
  isThread(channel: string): Promise<boolean>;
  /** The role that a server gave the bot alone; who mentions it means the bot. */
  findOwnRole(guildId: string, botUserId: string): Promise<string | undefined>;
};

const remembered = 5_000;

const channelKind = z.object({ type: z.number().int() });
const roles = z.array(
  z.object({ id: z.string(), tags: z.object({ bot_id: z.string().optional() }).optional() }),
);

/** Asks Discord once for what does not change. Throws `ChatError`. */
export function createLookUp(call: CallDiscord): LookUp {
  const threads = createLruMap<string, boolean>(remembered);
  const ownRoles = createLruMap<string, string>(remembered);
  return {
    isThread: async (channel) => {
      const known = threads.get(channel);
      if (known !== undefined) return known;
      const path = `channels/${channel}`;
      const found = channelKind.parse(
        await call({ label: "look at a channel", method: "GET", path }),
      );
      const isThread = threadTypes.has(found.type);
      threads.set(channel, isThread);
      return isThread;
    },
    findOwnRole: async (guildId, botUserId) => {
      const known = ownRoles.get(guildId);
      if (known !== undefined) return known;
      const path = `guilds/${guildId}/roles`;
      const found = roles.parse(await call({ label: "look at roles", method: "GET", path }));
      const own = found.find(({ tags }) => tags?.bot_id === botUserId)?.id;
      if (own !== undefined) ownRoles.set(guildId, own);
      return own;
    },
  };
}
