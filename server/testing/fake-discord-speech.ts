import { roomOf, snowflake } from "./fake-discord-guild.ts";
import type { FakeGuild, FakePost } from "./fake-discord-guild.ts";
import type { DiscordState } from "./fake-discord-state.ts";

export type Speech = {
  channel?: string;
  replyTo?: FakePost;
  files?: { name: string; type: string; body: Buffer }[];
  /** Members that override those of the gateway event. */
  as?: Record<string, unknown>;
};

/** The actions of users in a server, which the gateway reports. */
export type Speaking = {
  /** Posts a message as a user, with its mentions in the format of Discord. */
  speak(guild: FakeGuild, user: string, content: string, how?: Speech): FakePost;
  /** Posts a message that mentions the bot. */
  mention(guild: FakeGuild, user: string, content: string, how?: Speech): FakePost;
};

export function createSpeaking(
  state: DiscordState,
  keepFiles: (files: NonNullable<Speech["files"]>) => object[],
): Speaking {
  const speak: Speaking["speak"] = (guild, user, content, how = {}) => {
    const channel = how.channel ?? roomOf(guild);
    const post: FakePost = {
      id: snowflake(),
      channel,
      author: { id: user },
      content,
      components: [],
      allowedMentions: { parse: [] },
      edits: 0,
      files: [],
    };
    guild.posts.push(post);
    const mentioned = [...content.matchAll(/<@!?(\d+)>/g)].map(([, id = ""]) => id);
    const { replyTo } = how;
    state.gateway.dispatch("MESSAGE_CREATE", {
      id: post.id,
      type: replyTo === undefined ? 0 : 19,
      guild_id: guild.id,
      channel_id: channel,
      author: { id: user, username: guild.members.get(user)?.username },
      member: {},
      content,
      mentions: mentioned.map((id) => ({ id, username: guild.members.get(id)?.username ?? "bot" })),
      mention_roles: [...content.matchAll(/<@&(\d+)>/g)].map(([, id]) => id),
      mention_everyone: content.includes("@everyone"),
      attachments: keepFiles(how.files ?? []),
      ...(replyTo === undefined
        ? {}
        : { message_reference: { message_id: replyTo.id }, referenced_message: replyTo }),
      ...how.as,
    });
    return post;
  };
  return {
    speak,
    mention: (guild, user, content, how) =>
      speak(guild, user, `<@${state.botUserId}> ${content}`, how),
  };
}
