import { z } from "zod";
import { receiveMessage, recordMessageEdit, recordThreadMessage } from "#core/chat";
import type { Context } from "#core/context";
import { parseJson } from "#lib/parse-json";
import { post, toChatFiles, toMessageId } from "./mattermost-post.ts";
import type { Post } from "./mattermost-post.ts";
import { mentionsBot, readMattermostText } from "./mattermost-text.ts";

/** The bot on the Mattermost server. */
export type Bot = { teamId: string; userId: string; username: string };

export type MattermostEvent = { event: string; data: Record<string, unknown> };

const embedded = z.object({
  post: z.string().transform((text): unknown => parseJson(text)),
  channel_type: z.string().optional(),
  mentions: z.string().optional(),
});

/** Handles an event. Once this returns, a message to the bot is in the inbox. */
export async function handleEvent(
  context: Context,
  bot: Bot,
  { event, data }: MattermostEvent,
): Promise<void> {
  const found = embedded.safeParse(data);
  const about = post.safeParse(found.data?.post);
  if (!found.success || !about.success) return;
  if (event === "posted") await handlePost(context, bot, about.data, found.data);
  if (event !== "post_edited" && event !== "post_deleted") return;
  const { channel_id: channel, message } = about.data;
  const text = event === "post_edited" ? readMattermostText(message, bot.username) : null;
  const edit = { teamId: bot.teamId, channel, messageId: toMessageId(about.data), text };
  await recordMessageEdit(context, "mattermost", edit);
}

async function handlePost(
  context: Context,
  { teamId, userId, username }: Bot,
  given: Post,
  { channel_type: type, mentions = "[]" }: z.infer<typeof embedded>,
): Promise<void> {
  const isFromBot = ["from_bot", "from_webhook", "from_plugin"].some(
    (name) => given.props?.[name] === "true",
  );
  if (given.user_id === userId || isFromBot || given.type !== "") return;
  const isDirect = type === "D";
  // `@channel` mentions everyone, and is no request to the bot.
  const isMention =
    mentionsBot(given.message, username) &&
    (z.array(z.string()).safeParse(parseJson(mentions)).data ?? []).includes(userId);
  const message = {
    teamId,
    channel: given.channel_id,
    thread: given.root_id === "" ? given.id : given.root_id,
    messageId: toMessageId(given),
    chatUserId: given.user_id,
    text: readMattermostText(given.message, username),
    files: toChatFiles(given),
  };
  if (isDirect || isMention) {
    const startsThread = given.root_id === "";
    const received = { ...message, eventId: given.id, isDirect: isDirect && startsThread };
    await receiveMessage(context, "mattermost", received);
  } else if (given.root_id !== "") {
    await recordThreadMessage(context, "mattermost", message);
  }
}
