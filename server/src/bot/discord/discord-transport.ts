import type { APIInteractionResponse } from "discord-api-types/v10";
import { z } from "zod";
import { ChatError } from "#core/chat";
import type { ChatBlock, ChatForm, ChatProfile, ChatTeam, PlatformTransport } from "#core/chat";
import { createDiscordCall, isOver } from "./discord-call.ts";
import type { CallDiscord } from "./discord-call.ts";
import { downloadDiscordFile } from "./discord-files.ts";
import { toModal } from "./discord-form.ts";
import { privateFlag, toDiscordMessage } from "./discord-message.ts";
import { createBotTransport } from "./bot-transport.ts";
import { answered, isMarked } from "./discord-thread.ts";
import { answerPress, createReplies } from "./interaction-replies.ts";
import type { Replies } from "./interaction-replies.ts";
import { readHint } from "./interaction-hint.ts";

export type DiscordSettings = { apiUrl: string; applicationId: string; botToken: string };

/** The transport into one server. With the hint of an interaction it answers that, and otherwise posts as the bot. */
export function openDiscord(
  { apiUrl, applicationId, botToken }: DiscordSettings,
  { teamId, botUserId }: ChatTeam,
  hintText?: string,
): PlatformTransport {
  const asBot = createDiscordCall(apiUrl, `Bot ${botToken}`);
  const withoutToken = createDiscordCall(apiUrl);
  const hint = readHint(hintText, Date.now());
  const replies =
    hint?.kind === "command" ? createReplies(withoutToken, applicationId, hint) : undefined;
  const check = () => checkTeam(asBot, teamId);
  const call = inTeam(asBot, check);
  const bot = createBotTransport(call, { botUserId, hint: hintText });
  return {
    ...bot,
    post: async (threadRef, message) => {
      const { blocks, mark, notify } = message;
      const answer = toDiscordMessage(blocks, { notify, mark });
      const id = await whileOpen(replies, (open) => open.answer(answer));
      return id ?? bot.post(threadRef, message);
    },
    update: async (threadRef, { messageId, blocks }) => {
      const done = await whileOpen(replies, async (open) => {
        await open.edit(messageId, toDiscordMessage(blocks));
        return true;
      });
      if (done !== true) await bot.update(threadRef, { messageId, blocks });
    },
    postEphemeral: async (threadRef, user, blocks) => {
      if (hint?.kind === "press") return answerPress(withoutToken, hint, toEphemeral(blocks));
      const done = await whileOpen(replies, async (open) => {
        await open.postEphemeral(toDiscordMessage(blocks));
        return true;
      });
      if (done !== true) await bot.postEphemeral(threadRef, user, blocks);
    },
    findMarked: async (threadRef, mark, since) => {
      const original = await whileOpen(replies, (open) => open.read());
      if (original === undefined) return bot.findMarked(threadRef, mark, since);
      const parsed = answered.safeParse(original);
      return parsed.success && isMarked(parsed.data, mark) ? parsed.data.id : undefined;
    },
    openForm: async (triggerId, form) => openForm(withoutToken, triggerId, form),
    findProfile: (user) => findProfile(call, teamId, user),
    downloadFile: (file, maxBytes) => downloadDiscordFile(apiUrl, file, maxBytes),
    check,
    revoke: async () => {
      await asBot({
        label: "leave the server",
        method: "DELETE",
        path: `users/@me/guilds/${teamId}`,
      });
    },
  };
}

/** A message that only the user who pressed sees. */
function toEphemeral(blocks: readonly ChatBlock[]): APIInteractionResponse {
  const { content } = toDiscordMessage(blocks);
  return { type: 4, data: { ...content, flags: content.flags + privateFlag } };
}

/** Undefined when there is no interaction, or it can no longer be answered. */
async function whileOpen<T>(
  replies: Replies | undefined,
  work: (open: Replies) => Promise<T>,
): Promise<T | undefined> {
  if (replies === undefined) return undefined;
  try {
    return await work(replies);
  } catch (error) {
    if (isOver(error)) return undefined;
    throw error;
  }
}

/** A refusal may mean that the bot was removed from the server, so it is checked. */
function inTeam(call: CallDiscord, check: () => Promise<void>): CallDiscord {
  return async (request) => {
    try {
      return await call(request);
    } catch (error) {
      if (error instanceof ChatError && error.failure === "gone") await check();
      throw error;
    }
  };
}

async function checkTeam(call: CallDiscord, teamId: string): Promise<void> {
  try {
    await call({ label: "get the server", method: "GET", path: `guilds/${teamId}` });
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure !== "gone") throw error;
    throw new ChatError("revoked", "The bot is no longer in the server");
  }
}

async function openForm(call: CallDiscord, triggerId: string, form: ChatForm): Promise<void> {
  const hint = readHint(triggerId, Date.now());
  if (hint?.kind !== "press")
    throw new ChatError("gone", "open a form: the interaction has expired");
  await answerPress(call, hint, { type: 9, data: toModal(form) });
}

const member = z.object({
  nick: z.string().nullish(),
  user: z.object({ username: z.string(), global_name: z.string().nullish() }),
});

/** Discord does not disclose email addresses, so people link their accounts themselves. */
async function findProfile(call: CallDiscord, teamId: string, user: string): Promise<ChatProfile> {
  const path = `guilds/${teamId}/members/${user}`;
  const found = member.parse(await call({ label: "get a member", method: "GET", path }));
  const shown = found.nick || found.user.global_name;
  const { username } = found.user;
  return { name: shown ? `${shown} (${username})` : username, email: undefined };
}
