import { z } from "zod";
import {
  ChatError,
  isConnected,
  recordMessageEdit,
  recordThreadMessage,
  receiveDeparture,
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
const departure = z.object({ id, unavailable: z.boolean().optional() });

/** The kinds of events that {@link handleEvent} does something about. */
export const wantedEvents: ReadonlySet<string> = new Set([
  "MESSAGE_CREATE",
  "MESSAGE_UPDATE",
  "MESSAGE_DELETE",
  "GUILD_DELETE",
]);

/** Takes an event of the gateway. Once it returns, what has to be done is in the database; to take it again is harmless. */
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
    // Of others Discord tells what they say only where the app was allowed that.
    if (!parsed.success || !isByPerson(parsed.data) || parsed.data.content === "") return;
    await change(context, parsed.data, readMessageText(parsed.data, [botUserId]));
  } else if (kind === "MESSAGE_DELETE") {
    const parsed = deletion.safeParse(data);
    if (parsed.success) await change(context, parsed.data, null);
  } else {
    const parsed = departure.safeParse(data);
    // A server that is not available is one that Discord has trouble with.
    if (!parsed.success || parsed.data.unavailable === true) return;
    const eventId = `left:${sha256(sessionId).slice(0, 32)}:${sequence}`;
    const gone = { teamId: parsed.data.id, eventId, reason: "uninstalled" } as const;
    await receiveDeparture(context, "discord", gone);
  }
}

type Changed = { id: string; channel_id: string; guild_id?: string | undefined };

/** A message that a thread was made from is kept with the thread, and still stands in its channel. */
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
  const heard = { teamId, messageId, chatUserId: author.id, text: readMessageText(given, ourIds) };
  const { text } = heard;
  if (ourIds.length === 0) {
    // Only what is a thread is known by this place.
    if (text !== "")
      await recordThreadMessage(context, "discord", { ...heard, channel, thread: channel });
    return;
  }
  const isThread = await isInThread(context, lookup, channel);
  // A thread that is made from a message has its id.
  const thread = isThread ? channel : messageId;
  await receiveMessage(context, "discord", {
    ...heard,
    channel: thread,
    thread,
    eventId: `message:${messageId}`,
    files: given.attachments.map(toChatFile),
    hint: writeMentionHint({ channel, messageId, author: author.id, title: text }),
    ...aboutOf(given, botUserId),
  });
}

type RoleMention = { given: GatewayMessage; teamId: string; botUserId: string };

/** The role that is the bot's own, if a message mentions it. */
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

/** Where Discord does not say now, it is taken for none: no thread can be made in one, and the answer is a reply. */
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

/** The message that it replies to, as far as Discord tells what that says. */
function aboutOf(
  { referenced_message: other }: GatewayMessage,
  botUserId: string,
): Pick<ChatMessage, "about"> {
  const about = other == null ? undefined : readThreadMessage(other, botUserId);
  return about === undefined || about.text === "" ? {} : { about };
}
