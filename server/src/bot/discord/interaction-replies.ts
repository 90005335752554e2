import type { APIInteractionResponse } from "discord-api-types/v10";
import { z } from "zod";
import type { CallDiscord } from "./discord-call.ts";
import { toBody } from "./discord-files.ts";
import { privateFlag, toDiscordMessage } from "./discord-message.ts";
import type { DiscordMessage } from "./discord-message.ts";
import type { InteractionHint } from "./interaction-hint.ts";
import { messages } from "./messages.ts";

/** Responses to a command while its token is valid. All but `postEphemeral` are idempotent. */
export type Replies = {
  /** Replaces the placeholder and returns its message ID. */
  answer(message: DiscordMessage): Promise<string>;
  edit(messageId: string, message: DiscordMessage): Promise<void>;
  /** Posts a message that only the user of the command sees. */
  postEphemeral(message: DiscordMessage): Promise<void>;
  /** Reads the placeholder, or what replaced it. */
  read(): Promise<unknown>;
};

const made = z.object({ id: z.string() });

export function createReplies(
  call: CallDiscord,
  applicationId: string,
  { token }: InteractionHint,
): Replies {
  const base = `webhooks/${applicationId}/${encodeURIComponent(token)}`;
  const label = "answer a command";
  const edit = (messageId: string, message: DiscordMessage) => {
    const path = `${base}/messages/${messageId}`;
    return call({ label, method: "PATCH", path, ...toBody(message, "edit") });
  };
  return {
    answer: async (message) => made.parse(await edit("@original", message)).id,
    edit: async (messageId, message) => {
      await edit(messageId, message);
    },
    postEphemeral: async (message) => {
      // The first follow-up takes over the visibility of the placeholder, so the placeholder is replaced first.
      await edit("@original", toDiscordMessage([{ kind: "text", text: messages.onlyYouSee }]));
      const body = { ...message.content, flags: message.content.flags + privateFlag };
      await call({ label, method: "POST", path: base, body });
    },
    read: () => call({ label, method: "GET", path: `${base}/messages/@original` }),
  };
}

/** Sends the one response to a button press, such as a form. */
export async function answerPress(
  call: CallDiscord,
  { id, token }: InteractionHint,
  body: APIInteractionResponse,
): Promise<void> {
  const path = `interactions/${id}/${encodeURIComponent(token)}/callback`;
  await call({ label: "answer a button press", method: "POST", path, body });
}
