import { z } from "zod";
import { isRateLimited } from "#core/chat";
import type { ChatThreadMessage, ThreadRef } from "#core/chat";
import type { CallSlack } from "./slack-call.ts";
import { slackFiles, toChatFiles } from "./slack-file-list.ts";
import { readSlackText } from "./slack-text.ts";

/** The event type of the metadata by which the bot finds its messages. */
const markType = "toolhost_reply";

/** The metadata of a message with a mark. */
export function toMetadata(mark: string) {
  return { event_type: markType, event_payload: { work: mark } };
}

/** Slack returns fewer messages per page to apps that are distributed outside of its marketplace. */
const pageSize = 999;
const maxPages = 10;

const page = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      user: z.string().optional(),
      bot_id: z.string().optional(),
      text: z.string().default(""),
      files: slackFiles.optional().catch(undefined),
      metadata: z
        .object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) })
        .optional(),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});
type SlackMessage = z.infer<typeof page>["messages"][number];

/** The pages of a thread, oldest first: Slack has no other order. */
async function* readPages(
  call: CallSlack,
  { channel, thread: ts }: ThreadRef,
  range: { oldest?: string; latest?: string; include_all_metadata?: true },
): AsyncGenerator<readonly SlackMessage[]> {
  let cursor: string | undefined;
  for (let count = 0; count < maxPages; count++) {
    const from = cursor === undefined ? {} : { cursor };
    const values = { channel, ts, limit: pageSize, ...range, ...from };
    const { messages, response_metadata: next } = page.parse(
      await call("conversations.replies", values),
    );
    yield messages;
    cursor = next?.next_cursor;
    if (cursor === undefined || cursor === "") return;
  }
}

type Search = { threadRef: ThreadRef; mark: string; since: string };

/** Any app can write metadata, so only the bot's own messages count. */
function isMarked(botUserId: string, mark: string) {
  return ({ user, metadata }: SlackMessage) =>
    user === botUserId &&
    metadata?.event_type === markType &&
    metadata.event_payload["work"] === mark;
}

/** The most messages of a channel per call for apps that are distributed outside of Slack's marketplace. */
const channelPageSize = 15;

/** Whether the latest messages of a channel include one of the bot with a mark. */
export async function findInChannel(
  call: CallSlack,
  botUserId: string,
  { channel, mark }: { channel: string; mark: string },
): Promise<boolean> {
  const request = { channel, limit: channelPageSize, include_all_metadata: true };
  const { messages } = page.parse(await call("conversations.history", request));
  return messages.some(isMarked(botUserId, mark));
}

/**
 * The bot's message with a mark, or else one that has none: a stream gets its mark when it is complete, and a thread has
 * one job at a time.
 */
export async function findMarked(
  call: CallSlack,
  botUserId: string,
  { threadRef, mark, since }: Search,
): Promise<string | undefined> {
  const isTime = /^\d+\.\d+$/.test(since);
  const oldest = isTime ? { oldest: since } : {};
  const pages = readPages(call, threadRef, { include_all_metadata: true, ...oldest });
  let unmarked: string | undefined;
  for await (const messages of pages) {
    const found = messages.find(isMarked(botUserId, mark));
    if (found !== undefined) return found.ts;
    if (isTime) unmarked ??= messages.find(isUnmarked(botUserId, since))?.ts;
  }
  return unmarked;
}

function isUnmarked(botUserId: string, since: string) {
  return ({ ts, user, metadata, files = [] }: SlackMessage) =>
    user === botUserId && metadata === undefined && files.length === 0 && ts > since;
}

/**
 * The first message of a thread and the newest ones before `before`, oldest first; only the oldest ones where Slack
 * allows no further page now, because it allows some apps one small page per minute.
 */
export async function readThread(
  call: CallSlack,
  botUserId: string,
  threadRef: ThreadRef,
  { before, limit }: { before: string; limit: number },
): Promise<ChatThreadMessage[]> {
  let root: SlackMessage[] = [];
  let newest: SlackMessage[] = [];
  const pages = readPages(call, threadRef, { latest: before });
  for await (const messages of whileAllowed(pages)) {
    const earlier = messages.filter(({ ts }) => ts < before);
    const replies = earlier.filter(({ ts }) => ts !== threadRef.thread);
    if (replies.length < earlier.length) root = earlier.slice(0, 1);
    newest = [...newest, ...replies].slice(-limit);
  }
  const shown = [...root, ...newest.slice(root.length - limit)];
  return shown.map(({ ts: messageId, user, bot_id, text, files }) => {
    const author = user === botUserId ? "bot" : (user ?? bot_id ?? "");
    // What the bot uploaded is not input.
    const own = author === "bot" || files === undefined ? {} : { files: toChatFiles(files) };
    return { messageId, author, text: readSlackText(text, botUserId), ...own };
  });
}

/** The pages before the rate limit. Throws if it allows none. */
async function* whileAllowed<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  let hasPage = false;
  try {
    for await (const messages of pages) {
      yield messages;
      hasPage = true;
    }
  } catch (error) {
    if (!hasPage || !isRateLimited(error)) throw error;
  }
}
