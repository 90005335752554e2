import { z } from "zod";
import type { ThreadRef, ChatThread, ChatThreadMessage } from "#core/chat";
import type { CallDiscord } from "./discord-call.ts";
import { markId } from "./discord-message.ts";

/** `THREAD_STARTER_MESSAGE`: refers to the message that the thread was created from. */
const threadStarter = 21;
const pageSize = 50;

const single = z.object({
  id: z.string(),
  type: z.number().optional(),
  content: z.string().default(""),
  author: z.object({ id: z.string() }),
  components: z.array(z.looseObject({ id: z.number().optional() })).default([]),
});
const page = z.array(single.extend({ referenced_message: single.nullish() }));
type Message = z.infer<typeof single>;

const snowflake = /^\d{1,20}$/;

/** Whether a reference names a Discord thread, and not a command in a channel with its answer. */
function isThread({ channel, thread }: ThreadRef): boolean {
  return channel === thread;
}

/** Channel types that are threads. */
export const threadTypes: ReadonlySet<number> = new Set([10, 11, 12]);

/** The bot's message in a channel that has a mark. */
export async function findMarked(
  call: CallDiscord,
  botUserId: string,
  { channel, mark, since }: { channel: string; mark: string; since: string },
): Promise<string | undefined> {
  const after = snowflake.test(since) ? `&after=${since}` : "";
  const path = `channels/${channel}/messages?limit=${pageSize}${after}`;
  const messages = page.parse(await call({ label: "read messages", method: "GET", path }));
  return messages.find((one) => one.author.id === botUserId && isMarked(one, mark))?.id;
}

/** Whether a message has a mark. */
export function isMarked({ components }: Pick<Message, "components">, mark: string): boolean {
  return components[0]?.id === markId(mark);
}

/** The response to an interaction. */
export const answered = single;

/** The latest messages of a thread. Without the message content intent, Discord omits the text of other people's. */
export async function readThread(
  call: CallDiscord,
  botUserId: string,
  threadRef: ThreadRef,
  { before, limit }: { before: string; limit: number },
): Promise<ChatThread> {
  if (!isThread(threadRef)) return { messages: [], isComplete: true };
  const upTo = snowflake.test(before) ? `&before=${before}` : "";
  const path = `channels/${threadRef.channel}/messages?limit=${Math.min(limit, pageSize)}${upTo}`;
  const read = page.parse(await call({ label: "read messages", method: "GET", path }));
  const messages = read
    .map((one) => (one.type === threadStarter ? (one.referenced_message ?? one) : one))
    .map((one) => toThreadMessage(one, botUserId))
    // IDs sort as text since 2022, when they reached 19 digits.
    .filter(({ messageId, text }) => text !== "" && messageId.length >= 19)
    .toSorted((one, other) => (one.messageId < other.messageId ? -1 : 1));
  return { messages, isComplete: true };
}

/** A message that another refers to; undefined for invalid data. */
export function readThreadMessage(
  given: unknown,
  botUserId: string,
): ChatThreadMessage | undefined {
  const { data } = single.safeParse(given);
  return data === undefined ? undefined : toThreadMessage(data, botUserId);
}

function toThreadMessage(one: Message, botUserId: string): ChatThreadMessage {
  const author = one.author.id === botUserId ? "bot" : one.author.id;
  return { messageId: one.id, author, text: textOf(one) };
}

function textOf({ content, components }: Message): string {
  return [content, ...components.flatMap(textsIn)]
    .filter((text) => text !== "")
    .join("\n")
    .trim();
}

function textsIn(component: { [key: string]: unknown }): string[] {
  return component["type"] === 10 && typeof component["content"] === "string"
    ? [component["content"]]
    : [];
}
