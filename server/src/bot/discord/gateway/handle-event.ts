import { z } from "zod";
import {
  ChatError,
  isConnected,
  recordMessageEdit,
  recordThreadMessage,
  receiveBotRemoval,
  receiveMessage,
} from "#core/chat";
import type { ChatMessage } from "#core/chat";
import type { Context } from "#core/context";
import { sha256 } from "#lib/hash";
import { toChatFile } from "../discord-files.ts";
import { readThreadMessage } from "../discord-thread.ts";
import { writeMentionHint } from "../mention-hint.ts";
import type { Dispatch } from "./frame.ts";
import type { ChannelLookup } from "./channel-lookup.ts";
import type { Position } from "./position.ts";
import { isByPerson, readMessageText, gatewayMessage } from "./gateway-message.ts";
import type { GatewayMessage } from "./gateway-message.ts";

const id = z.string().regex(/^\d{1,20}$/);
const deletion = z.object({ id, channel_id: id, guild_id: id });
const guildDelete = z.object({ id, unavailable: z.boolean().optional() });

/** The event types that {@link handleEvent} processes. */
export const wantedEvents: ReadonlySet<string> = new Set([
  "MESSAGE_CREATE",
  "MESSAGE_UPDATE",
  "MESSAGE_DELETE",
  "GUILD_DELETE",
]);

/**
 * Processes a gateway event. Its effects are in the database when this returns, and processing it again changes
 * nothing.
 */
export async function handleEvent(
  context: Context,
  lookup: ChannelLookup,
  { t: kind, s: sequence, d: data }: Dispatch,
  { sessionId, botUserId }: Position,
): Promise<void> {
  if (kind === "MESSAGE_CREATE") {
    const parsed = gatewayMessage.safeParse(data);
    if (parsed.success) await handleMessage(context, lookup, parsed.data, botUserId);
  } else if (kind === "MESSAGE_UPDATE") {
    const parsed = gatewayMessage.safeParse(data);
    // Without the message content intent, Discord omits the text of messages that do not mention the bot.
    if (!parsed.success || !isByPerson(parsed.data) || parsed.data.content === "") return;
    await change(context, parsed.data, readMessageText(parsed.data, [botUserId]));
  } else if (kind === "MESSAGE_DELETE") {
    const parsed = deletion.safeParse(data);
    if (parsed.success) await change(context, parsed.data, null);
  } else {
    const parsed = guildDelete.safeParse(data);
    // An unavailable server has an outage at Discord; the bot was not removed from it.
    if (!parsed.success || parsed.data.unavailable === true) return;
    const eventId = `left:${sha256(sessionId).slice(0, 32)}:${sequence}`;
    const removal = { teamId: parsed.data.id, eventId, reason: "uninstalled" } as const;
    await receiveBotRemoval(context, "discord", removal);
  }
}

type Changed = { id: string; channel_id: string; guild_id?: string | undefined };

/**
 * A message that started a thread is stored with that thread, which has the message's ID, but is still in its channel.
 */
async function change(
  context: Context,
  { id: messageId, channel_id: channel, guild_id: teamId }: Changed,
  text: string | null,
): Promise<void> {
  if (teamId === undefined) return;
  await recordMessageEdit(context, "discord", { teamId, channel, messageId, text });
  await recordMessageEdit(context, "discord", { teamId, channel: messageId, messageId, text });
}

async function handleMessage(
  context: Context,
  lookup: ChannelLookup,
  given: GatewayMessage,
  botUserId: string,
): Promise<void> {
  const { id: messageId, guild_id: teamId, channel_id: channel, author } = given;
  if (teamId === undefined || !isByPerson(given)) return;
  const isMentioned = given.mentions.some(({ id: one }) => one === botUserId);
  const mayBeForUs = isMentioned || given.mention_roles.length > 0;
  if (mayBeForUs && !(await isConnected(context, "discord", teamId))) return;
  const role = await findMentionedRole(context, lookup, { given, teamId, botUserId });
  const ourIds = [...(isMentioned ? [botUserId] : []), ...(role === undefined ? [] : [role])];
  const message = {
    teamId,
    messageId,
    chatUserId: author.id,
    text: readMessageText(given, ourIds),
  };
  const { text } = message;
  if (ourIds.length === 0) {
    // Outside of a thread, no stored thread matches.
    if (text !== "")
      await recordThreadMessage(context, "discord", { ...message, channel, thread: channel });
    return;
  }
  const isThread = await isInThread(context, lookup, channel);
  // A thread that was started from a message has the message's ID.
  const thread = isThread ? channel : messageId;
  await receiveMessage(context, "discord", {
    ...message,
    channel: thread,
    thread,
    eventId: `message:${messageId}`,
    files: given.attachments.map(toChatFile),
    hint: writeMentionHint({ channel, messageId, author: author.id, title: text }),
    ...aboutOf(given, botUserId),
  });
}

type RoleMention = { given: GatewayMessage; teamId: string; botUserId: string };

/** The role of the bot itself, if the message mentions it. */
async function findMentionedRole(
  context: Context,
  lookup: ChannelLookup,
  { given: { mention_roles: roles }, teamId, botUserId }: RoleMention,
): Promise<string | undefined> {
  if (roles.length === 0) return undefined;
  try {
    const role = await lookup.findOwnRole(teamId, botUserId);
    return role !== undefined && roles.includes(role) ? role : undefined;
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    context.log.debug({ err: error }, "the bot's role could not be looked up");
    return undefined;
  }
}

/** If Discord does not respond, the channel counts as no thread: the bot then replies to the message. */
async function isInThread(
  context: Context,
  lookup: ChannelLookup,
  channel: string,
): Promise<boolean> {
  try {
    return await lookup.isThread(channel);
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    context.log.debug({ err: error }, "a channel could not be looked up");
    return false;
  }
}

/** The message that it replies to, if Discord sends its text. */
function aboutOf(
  { referenced_message: other }: GatewayMessage,
  botUserId: string,
): Pick<ChatMessage, "about"> {
  const about = other == null ? undefined : readThreadMessage(other, botUserId);
  return about === undefined || about.text === "" ? {} : { about };
}
