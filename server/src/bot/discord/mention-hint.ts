import { clip } from "./discord-text.ts";

/** The message that mentioned the bot, which a thread may be made from. */
export type MentionHint = {
  kind: "mention";
  channel: string;
  messageId: string;
  author: string;
  /** What a thread made from it would be called. */
  title: string;
};

const maxTitleLength = 80;

/** As one string, for the core to carry along. */
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
