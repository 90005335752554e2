import { z } from "zod";
import type { ChatFile, ThreadRef } from "#core/chat";
import { parseJson } from "#lib/parse-json";
import { isServiceUrl } from "./teams-settings.ts";
import type { TeamsSettings } from "./teams-settings.ts";

const maxIdLength = 500;
const maxUrlLength = 2_000;

/** An ID such as `29:…` or `19:…@thread.tacv2`, which is safe as a part of a path once it is encoded. */
const id = z.string().max(maxIdLength).regex(/^\w+:/);
const text = (max: number) => z.string().max(max);

/** An activity that the Bot Connector sends. Other channels, such as Direct Line, let anyone name any user. */
export const activity = z.object({
  type: text(100),
  id: text(maxIdLength).default(""),
  name: text(200).optional(),
  action: text(100).optional(),
  channelId: z.literal("msteams"),
  serviceUrl: text(maxUrlLength),
  timestamp: text(100).optional(),
  from: z.object({ id }),
  conversation: z.object({
    id,
    conversationType: text(50).optional(),
    tenantId: text(100).optional(),
  }),
  channelData: z.object({ tenant: z.object({ id: text(100) }).optional() }).nullish(),
  text: text(200_000).nullish(),
  entities: z.array(z.unknown()).max(500).nullish(),
  attachments: z.array(z.unknown()).max(100).nullish(),
  value: z.unknown().optional(),
});
export type Activity = z.infer<typeof activity>;

/** The tenant, channel and thread of an activity. Chats have no threads, so each message there starts one. */
export function placeOf(given: Activity): { teamId: string; isChat: boolean } & ThreadRef {
  const { conversation, channelData } = given;
  const teamId = (channelData?.tenant?.id ?? conversation.tenantId ?? "").toLowerCase();
  const [channel = "", root] = conversation.id.split(";messageid=");
  const isChat = conversation.conversationType !== "channel";
  const thread = isChat ? toMessageId(given.id, given.timestamp) : (root ?? given.id);
  return { teamId, isChat, channel, thread };
}

/** Message IDs that sort by time, as the service expects: those of channels are times, and others are not. */
export function toMessageId(given: string, timestamp?: string): string {
  const now = timestamp === undefined ? Date.now() : Date.parse(timestamp);
  const time = /^\d{13}$/.test(given) ? Number(given) : now || Date.now();
  return `${String(time).padStart(15, "0")}.${given}`;
}

/** The ID of a message in Teams. */
export function toActivityId(messageId: string): string {
  return messageId.replace(/^\d{15}\./, "");
}

/** The conversation of a thread in the Bot Connector. */
export function toConversationId({
  channel,
  thread,
}: {
  channel: string;
  thread?: string | undefined;
}): string {
  const isThread = isTeamChannel(channel) && thread !== undefined && /^\d+$/.test(thread);
  return isThread ? `${channel};messageid=${thread}` : channel;
}

/** Whether an ID is that of a channel of a team, and not of a chat. */
export function isTeamChannel(channel: string): boolean {
  return /@thread\.(?:tacv2|skype)$/.test(channel);
}

/** Whether an ID is that of a conversation with the bot alone. */
export function isPersonal(channel: string): boolean {
  return channel.startsWith("a:");
}

const replyTo = z.object({ serviceUrl: z.string(), channel: z.string().optional() });
type ReplyTo = z.infer<typeof replyTo>;

/** Where an activity came from, as the hint of the transport. */
export function toHint(given: Activity): string {
  const hint: ReplyTo = { serviceUrl: given.serviceUrl, channel: placeOf(given).channel };
  return JSON.stringify(hint);
}

export function readHint(settings: TeamsSettings, hint: string | undefined): ReplyTo {
  const found = replyTo.safeParse(parseJson(hint ?? "")).data;
  const isKnown = found !== undefined && isServiceUrl(settings, found.serviceUrl);
  return isKnown ? found : { serviceUrl: settings.serviceUrl };
}

const mentionTag = /<at(?:\s[^<>]{0,200})?>[^<>]{0,500}<\/at>/g;
const mention = z.object({
  type: z.literal("mention"),
  text: z.string().min(1).max(1_000),
  mentioned: z.object({ id: text(maxIdLength), name: text(500).nullish() }),
});

/** The text of a message without mentions of the bot, and whether it mentions the bot. */
export function readTeamsText(
  given: Activity,
  botUserId: string,
): { text: string; isMention: boolean } {
  const names = new Map<string, string>();
  let isMention = false;
  for (const entity of given.entities ?? []) {
    const found = mention.safeParse(entity).data;
    if (found === undefined) continue;
    const isBot = found.mentioned.id.toLowerCase() === botUserId;
    isMention ||= isBot;
    names.set(found.text, isBot ? "" : `@${found.mentioned.name ?? "someone"}`);
  }
  // In one pass, so that no name is read as a mention or a replacement pattern.
  const read = (given.text ?? "").replaceAll(mentionTag, (tag) => names.get(tag) ?? tag);
  const decoded = read.replaceAll(
    /&(?:nbsp|lt|gt|amp|quot|#39);/g,
    (name) => characters[name] ?? name,
  );
  return { text: decoded.replaceAll("\u00A0", " ").trim(), isMention };
}

const characters: Readonly<Record<string, string>> = {
  "&nbsp;": " ",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
};

const file = z.object({
  contentType: z.literal("application/vnd.microsoft.teams.file.download.info"),
  name: text(1_000).catch("file"),
  content: z.object({ downloadUrl: z.url().max(maxUrlLength) }),
});
const image = z.object({
  contentType: text(100).regex(/^image\//),
  contentUrl: z.url().max(maxUrlLength),
  name: text(1_000).catch("image"),
});

/** The files of a message, whose size Teams does not say. The ID is the URL of the file, with its name as the fragment. */
export function toChatFiles({ attachments }: Activity): ChatFile[] {
  return (attachments ?? []).flatMap((given) => {
    const shared = file.safeParse(given).data;
    const pasted = image.safeParse(given).data;
    const found = shared?.content.downloadUrl ?? pasted?.contentUrl;
    if (found === undefined) return [];
    const name = (shared ?? pasted)?.name.slice(0, 255) ?? "file";
    const url = new URL(found);
    url.hash = encodeURIComponent(name);
    const mimeType = pasted?.contentType.includes("*") === false ? pasted.contentType : "";
    return [{ id: url.href, name, mimeType, size: 0 }];
  });
}
