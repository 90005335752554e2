import { clip } from "./discord-text.ts";

/** The message that mentioned the bot, from which a thread may be created. */
export type MentionHint = {
  kind: "mention";
  channel: string;
  messageId: string;
  author: string;
  /** The title of the thread. */
  title: string;
};

const maxTitleLength = 80;

/** As one string, which the core stores with the message. */
export function writeMentionHint({
  channel,
  messageId,
  author,
  title,
}: Omit<MentionHint, "kind">): string {
  const line = clip(title.replaceAll(/\s+/g, " ").trim(), maxTitleLength);
  return `mention.${channel}.${messageId}.${author}.${line}`;
}

export function readMentionHint(text: string | undefined): MentionHint | undefined {
  const found = /^mention\.(\d{1,20})\.(\d{1,20})\.(\d{1,20})\.(.*)$/s.exec(text ?? "");
  if (found === null) return undefined;
  const [, channel = "", messageId = "", author = "", title = ""] = found;
  return { kind: "mention", channel, messageId, author, title };
}
