import { z } from "zod";
import { attachment } from "../discord-files.ts";

const id = z.string().regex(/^\d{1,20}$/);

const user = z.object({
  id,
  username: z.string().max(100).default(""),
  global_name: z.string().max(100).nullish(),
  bot: z.boolean().optional(),
});

/** A message as the gateway tells of it, whatever wrote it. */
export const said = z.object({
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
export type Said = z.infer<typeof said>;

/** Messages that people write: all else is Discord's own, such as a word of welcome. */
const written = new Set([0, 19]);

/** Whether a person of a server wrote it. */
export function isByPerson({ type, author, webhook_id: webhook }: Said): boolean {
  return written.has(type) && author.bot !== true && webhook == null;
}

/** What a person reads of a message: without the mention that it is for, and names in the place of other ids. */
export function readSaid({ content, mentions }: Said, ourIds: readonly string[]): string {
  const names = new Map(mentions.map((one) => [one.id, one.global_name || one.username]));
  return content
    .replaceAll(/<@[!&]?(\d{1,20})>/g, (mention: string, mentioned: string) => {
      if (ourIds.includes(mentioned)) return "";
      const name = names.get(mentioned);
      return name === undefined || name === "" ? mention : `@${name}`;
    })
    .trim();
}
