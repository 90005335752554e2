import { z } from "zod";
import type { CallDiscord } from "./discord-call.ts";
import { toBody } from "./discord-files.ts";
import { privateFlag, toDiscordMessage } from "./discord-message.ts";
import type { DiscordMessage } from "./discord-message.ts";
import type { InteractionHint } from "./interaction-hint.ts";

/** What can be said in answer to a command while its token holds. Everything but `postEphemeral` may be done twice. */
export type Replies = {
  /** Makes the placeholder an answer and gives its message's id. */
  answer(message: DiscordMessage): Promise<string>;
  edit(messageId: string, message: DiscordMessage): Promise<void>;
  /** Says something to who asked alone. */
  postEphemeral(message: DiscordMessage): Promise<void>;
  /** The placeholder, or what it was made. */
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
      // The first message after a placeholder is seen by all as the placeholder is; so that has to go first.
      await edit("@original", toDiscordMessage([{ kind: "text", text: "I answered you alone." }]));
      const body = { ...message.content, flags: message.content.flags + privateFlag };
      await call({ label, method: "POST", path: base, body });
    },
    read: () => call({ label, method: "GET", path: `${base}/messages/@original` }),
  };
}

/** Gives a press of a button its one answer, such as a form. */
export async function answerPress(
  call: CallDiscord,
  { id, token }: InteractionHint,
  body: object,
): Promise<void> {
  const path = `interactions/${id}/${encodeURIComponent(token)}/callback`;
  await call({ label: "answer a press", method: "POST", path, body });
}
