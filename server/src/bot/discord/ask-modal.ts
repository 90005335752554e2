import { labeled } from "./discord-form.ts";
import type { APIModalInteractionResponseCallbackData } from "discord-api-types/v10";
import { clip } from "./discord-text.ts";
import { messages } from "./messages.ts";

type Target = { messageId: string; author: string };

/** The `custom_id` of a modal that asks what to do with a message. */
export function askId({ messageId, author }: Target): string {
  return `ask:${messageId}:${author}`;
}

export function readAskId(text: string): Target | undefined {
  const [, messageId, author] = /^ask:(\d{1,20}):(\d{1,20})$/.exec(text) ?? [];
  return messageId === undefined || author === undefined ? undefined : { messageId, author };
}

/**
 * Asks what to do with a message. Discord sends the message's text only with the command, so the modal contains it; the
 * user sees the text that is passed on, and can shorten it.
 */
export function toAskModal(
  customId: string,
  content: string,
): APIModalInteractionResponseCallbackData {
  const text = { type: 4, style: 2 } as const;
  const value = clip(content, 4_000);
  return {
    custom_id: customId,
    title: messages.askTitle,
    components: [
      labeled(messages.askText, undefined, { ...text, custom_id: "text", max_length: 4_000 }),
      labeled(messages.askAbout, undefined, {
        ...text,
        custom_id: "about",
        required: false,
        max_length: 4_000,
        ...(value === "" ? {} : { value }),
      }),
      labeled(messages.askFiles, undefined, {
        type: 19,
        custom_id: "files",
        required: false,
        min_values: 0,
        max_values: 5,
      }),
    ],
  };
}
