import { labeled } from "./discord-form.ts";
import { clip } from "./discord-text.ts";

type Target = { messageId: string; author: string };

/** Names a modal that asks what is to be done with a message. */
export function askId({ messageId, author }: Target): string {
  return `ask:${messageId}:${author}`;
}

export function readAskId(text: string): Target | undefined {
  const [, messageId, author] = /^ask:(\d{1,20}):(\d{1,20})$/.exec(text) ?? [];
  return messageId === undefined || author === undefined ? undefined : { messageId, author };
}

/**
 * Asks what is to be done with a message. It is in the modal itself, for Discord tells what a message says only with
 * the command; so the person sees what is handed on, and may cut it.
 */
export function toAskModal(customId: string, content: string): object {
  const text = { type: 4, style: 2 };
  const value = clip(content, 4_000);
  return {
    custom_id: customId,
    title: "Ask Toolhost",
    components: [
      labeled("What shall I do?", undefined, { ...text, custom_id: "text", max_length: 4_000 }),
      labeled("With this message", undefined, {
        ...text,
        custom_id: "about",
        required: false,
        max_length: 4_000,
        ...(value === "" ? {} : { value }),
      }),
      labeled("And these files", undefined, {
        type: 19,
        custom_id: "files",
        required: false,
        min_values: 0,
        max_values: 5,
      }),
    ],
  };
}
