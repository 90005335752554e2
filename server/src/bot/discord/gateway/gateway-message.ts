import { z } from "zod";
import { attachment } from "../discord-files.ts";

const id = z.string().regex(/^\d{1,20}$/);

const user = z.object({
  id,
  username: z.string().max(100).default(""),
  global_name: z.string().max(100).nullish(),
  bot: z.boolean().optional(),
});

/** A message as the gateway sends it, of any author. */
export const gatewayMessage = z.object({
  id,
  channel_id: id,
  guild_id: id.optional(),
  type: z.number().int(),
  author: user,
  webhook_id: z.string().nullish(),
  content: z.string().default(""),
  mentions: z.array(user).default([]),
  mention_roles: z.array(id).default([]),
  attachments: z.array(attachment).default([]),
  referenced_message: z
    .looseObject({ id, author: z.object({ id }) })
    .nullish()
    .catch(undefined),
});
export type GatewayMessage = z.infer<typeof gatewayMessage>;

/** The message types that people write; others are from Discord, such as a welcome. */
const written = new Set([0, 19]);

/** Whether a person wrote the message. */
export function isByPerson({ type, author, webhook_id: webhook }: GatewayMessage): boolean {
  return written.has(type) && author.bot !== true && webhook == null;
}

/** The text of a message without mentions of the bot, and with names for the IDs of other mentions. */
export function readMessageText(
  { content, mentions }: GatewayMessage,
  ourIds: readonly string[],
): string {
  const names = new Map(mentions.map((one) => [one.id, one.global_name || one.username]));
  return content
    .replaceAll(/<@[!&]?(\d{1,20})>/g, (mention: string, mentioned: string) => {
      if (ourIds.includes(mentioned)) return "";
      const name = names.get(mentioned);
      return name === undefined || name === "" ? mention : `@${name}`;
    })
    .trim();
}
