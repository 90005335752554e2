import { z } from "zod";
import { ChatError } from "#core/chat";
import type { PlatformTransport } from "#core/chat";
import { isRefusedBy } from "./discord-call.ts";
import type { CallDiscord } from "./discord-call.ts";
import { formOfFile, toBody } from "./discord-files.ts";
import { toDiscordMessage } from "./discord-message.ts";
import type { DiscordMessage } from "./discord-message.ts";
import { createTargets, readPostId, writePostId } from "./message-target.ts";
import type { MessageTarget, Targets } from "./message-target.ts";
import { findMarked, readThread } from "./discord-thread.ts";
import { readMentionHint } from "./mention-hint.ts";
import type { MentionHint } from "./mention-hint.ts";

type BotTransport = Pick<
  PlatformTransport,
  | "acknowledge"
  | "post"
  | "postToChannel"
  | "update"
  | "postEphemeral"
  | "findMarked"
  | "readThread"
  | "uploadFile"
>;

/** What the bot posts outside of interactions. The hint is a mention, or a message of the bot itself. */
export function createBotTransport(
  call: CallDiscord,
  { botUserId, hint }: { botUserId: string; hint: string | undefined },
): BotTransport {
  const mention = readMentionHint(hint);
  const targets = createTargets(call, { mention, from: hint });
  return {
    // The placeholder of a command acknowledges it.
    acknowledge: async () => {
      if (mention !== undefined) await showSeen(call, mention);
    },
    post: async (threadRef, { blocks, mark, notify }) => {
      const target = await targets.forPost(threadRef);
      const message = toDiscordMessage(blocks, { notify: notify ?? target.newFor, mark });
      return writePostId(await post(call, target, message, mark), targets.elsewhere());
    },
    postToChannel: async (channel, { blocks, mark }, isRetry) => {
      const search = { channel, mark, since: "" };
      if (isRetry && (await findMarked(call, botUserId, search)) !== undefined) return;
      const target = { channel, replyTo: undefined };
      await post(call, target, toDiscordMessage(blocks, { mark }), mark);
    },
    update: async (threadRef, { messageId: postId, blocks }) => {
      const { messageId, elsewhere } = readPostId(postId);
      const channel = elsewhere ?? threadRef.channel;
      targets.foundIn(channel, threadRef);
      const path = `channels/${channel}/messages/${messageId}`;
      const body = toBody(toDiscordMessage(blocks), "edit");
      await call({ label: "edit a message", method: "PATCH", path, ...body });
    },
    postEphemeral: async (_, user, blocks) => {
      const message = toDiscordMessage(blocks);
      if (mention === undefined) await sendDirectMessage(call, user, message);
      else await sendToAuthor(call, mention, message);
    },
    findMarked: async (threadRef, mark, since) => {
      const { messageId: after } = readPostId(since);
      for (const channel of targets.all(threadRef)) {
        const found = await findIn(call, targets, { botUserId, channel, mark, since: after });
        if (found === undefined) continue;
        targets.foundIn(channel, threadRef);
        return writePostId(found, targets.elsewhere());
      }
      return undefined;
    },
    readThread: async (threadRef, bounds) =>
      // The thread starts with this message.
      mention?.messageId === threadRef.thread
        ? { messages: [], isComplete: true }
        : readThread(call, botUserId, threadRef, bounds),
    uploadFile: async (threadRef, file) => {
      const { channel, replyTo } = await targets.forPost(threadRef);
      const content = { allowed_mentions: { parse: [] }, ...referTo(replyTo) };
      const form = await formOfFile(content, file);
      const path = `channels/${channel}/messages`;
      await call({ label: "post a file", method: "POST", path, form, timeoutMs: 60_000 });
    },
  };
}

const made = z.object({ id: z.string() });

/** Posts once: for a repeated nonce within minutes, Discord returns the existing message. */
async function post(
  call: CallDiscord,
  { channel, replyTo }: Pick<MessageTarget, "channel" | "replyTo">,
  { content, whole }: DiscordMessage,
  mark: string,
): Promise<string> {
  const nonce = mark.replaceAll("-", "").slice(-25);
  const once = { ...content, ...referTo(replyTo), nonce, enforce_nonce: true };
  const body = toBody({ content: once, whole });
  const path = `channels/${channel}/messages`;
  return made.parse(await call({ label: "post a message", method: "POST", path, ...body })).id;
}

/** Makes a message a reply, even if the other message no longer exists. */
function referTo(messageId: string | undefined): object {
  if (messageId === undefined) return {};
  return { message_reference: { message_id: messageId, fail_if_not_exists: false } };
}

type Search = Parameters<typeof findMarked>[2] & { botUserId: string };

async function findIn(call: CallDiscord, targets: Targets, { botUserId, ...search }: Search) {
  try {
    return await findMarked(call, botUserId, search);
  } catch (error) {
    // The thread may not have been created.
    const isGone = error instanceof ChatError && error.failure === "gone";
    if (isGone && targets.mayBeMissing(search.channel)) return undefined;
    throw error;
  }
}

async function showSeen(call: CallDiscord, { channel, messageId }: MentionHint): Promise<void> {
  const eyes = encodeURIComponent("👀");
  const path = `channels/${channel}/messages/${messageId}/reactions/${eyes}/@me`;
  await call({ label: "react to a message", method: "PUT", path });
}

/** Sends a direct message, for what only one person may see. */
async function sendDirectMessage(
  call: CallDiscord,
  user: string,
  message: DiscordMessage,
): Promise<void> {
  const opened = await call({
    label: "open a direct message channel",
    method: "POST",
    path: "users/@me/channels",
    body: { recipient_id: user },
  });
  const path = `channels/${made.parse(opened).id}/messages`;
  await call({ label: "send a direct message", method: "POST", path, ...toBody(message) });
}

const directMessagesClosed = 50_007;

/** Sends a direct message, or explains in the channel how to receive one if the user does not accept them. */
async function sendToAuthor(
  call: CallDiscord,
  { channel, messageId, author }: MentionHint,
  message: DiscordMessage,
): Promise<void> {
  try {
    await sendDirectMessage(call, author, message);
  } catch (error) {
    if (!isRefusedBy(error, directMessagesClosed)) throw error;
    const text =
      "I can't send you direct messages. Use the command /toolhost instead; only you will see my answer.";
    const notice = toDiscordMessage([{ kind: "text", text }]);
    await post(call, { channel, replyTo: messageId }, notice, messageId);
  }
}
