import { z } from "zod";
import { ChatError, isRateLimited } from "#core/chat";
import type { ChatThread, ThreadRef } from "#core/chat";
import type { CallSlack } from "./slack-call.ts";
import { slackFiles, toChatFiles } from "./slack-file-list.ts";
import { readSlackText } from "./slack-text.ts";
import { smallPageSize } from "./slack-tiers.ts";
import type { Tiers } from "./slack-tiers.ts";

/** The event type of the metadata by which the bot finds its messages. */
const markType = "toolhost_reply";

/** The metadata of a message with a mark. */
export function toMetadata(mark: string) {
  return { event_type: markType, event_payload: { work: mark } };
}

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
      /** Of the first message of a thread. */
      reply_count: z.number().optional().catch(undefined),
      metadata: z
        .object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) })
        .optional(),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});
type SlackMessage = z.infer<typeof page>["messages"][number];
type Page = { messages: readonly SlackMessage[]; hasMore: boolean };

/** The pages of a thread, oldest first: Slack has no other order. */
async function* readPages(
  call: CallSlack,
  { channel, thread: ts }: ThreadRef,
  range: { oldest?: string; latest?: string; include_all_metadata?: true },
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  for (let count = 0; count < maxPages; count++) {
    const from = cursor === undefined ? {} : { cursor };
    const values = { channel, ts, limit: pageSize, ...range, ...from };
    const { messages, response_metadata: next } = page.parse(
      await call("conversations.replies", values),
    );
    cursor = next?.next_cursor;
    const hasMore = cursor !== undefined && cursor !== "";
    yield { messages, hasMore };
    if (!hasMore) return;
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

/** Whether the latest messages of a channel include one of the bot with a mark. */
export async function findInChannel(
  call: CallSlack,
  botUserId: string,
  { channel, mark }: { channel: string; mark: string },
): Promise<boolean> {
  const request = { channel, limit: smallPageSize, include_all_metadata: true };
  const { messages } = page.parse(await call("conversations.history", request));
  return messages.some(isMarked(botUserId, mark));
}

/**
 * The bot's message with a mark, or else one that has none: a stream gets its mark when it is complete, and a thread has
 * one job at a time. Where Slack allows no further page now, the next search continues after the pages that were read.
 */
export async function findMarked(
  { call, botUserId, tiers }: Access,
  { threadRef, mark, since }: Search,
): Promise<string | undefined> {
  const isTime = /^\d+\.\d+$/.test(since);
  const found = { oldest: isTime ? since : undefined, unmarked: undefined, ...tiers.resume(mark) };
  const oldest = found.oldest === undefined ? {} : { oldest: found.oldest };
  const pages = readPages(call, threadRef, { include_all_metadata: true, ...oldest });
  for await (const { messages } of pages) {
    const marked = messages.find(isMarked(botUserId, mark));
    if (marked !== undefined) return marked.ts;
    if (isTime) found.unmarked ??= messages.find(isUnmarked(botUserId, since))?.ts;
    found.oldest = messages.at(-1)?.ts ?? found.oldest;
    tiers.pause(mark, found);
  }
  tiers.forget(mark);
  return found.unmarked;
}

function isUnmarked(botUserId: string, since: string) {
  return ({ ts, user, metadata, files = [] }: SlackMessage) =>
    user === botUserId && metadata === undefined && files.length === 0 && ts > since;
}

type Access = { call: CallSlack; teamId: string; botUserId: string; tiers: Tiers };
type Bounds = { before: string; limit: number };

/**
 * The first message of a thread and the newest ones before `before`, oldest first. Where Slack allows one small page per
 * minute, that page has the newest messages, or as many of the oldest ones as long as this is not known.
 */
export async function readThread(
  access: Access,
  threadRef: ThreadRef,
  { before, limit }: Bounds,
): Promise<ChatThread> {
  const { tiers, teamId, botUserId } = access;
  const collected = collect(threadRef, { before, limit });
  const isComplete = tiers.isLowest(teamId)
    ? await readNewest(access, threadRef, before, collected)
    : await readAll(access, threadRef, before, collected);
  const messages = collected.shown().map(({ ts: messageId, user, bot_id, text, files }) => {
    const author = user === botUserId ? "bot" : (user ?? bot_id ?? "");
    // What the bot uploaded is not input.
    const own = author === "bot" || files === undefined ? {} : { files: toChatFiles(files) };
    return { messageId, author, text: readSlackText(text, botUserId), ...own };
  });
  return { messages, isComplete };
}

type Collected = { add(messages: readonly SlackMessage[]): void; shown(): SlackMessage[] };

function collect({ thread }: ThreadRef, { before, limit }: Bounds): Collected {
  let root: SlackMessage[] = [];
  let newest: SlackMessage[] = [];
  return {
    add: (messages) => {
      const earlier = messages.filter(({ ts }) => ts < before);
      const replies = earlier.filter(({ ts }) => ts !== thread);
      if (replies.length < earlier.length) root = earlier.slice(0, 1);
      newest = [...newest, ...replies].slice(-limit);
    },
    shown: () => [...root, ...newest.slice(root.length - limit)],
  };
}

/** Reads all pages; false if Slack allows only a part of them now. Throws if it allows none. */
async function readAll(
  access: Access,
  threadRef: ThreadRef,
  before: string,
  collected: Collected,
): Promise<boolean> {
  let hasPage = false;
  try {
    for await (const { messages, hasMore } of readPages(access.call, threadRef, {
      latest: before,
    })) {
      collected.add(messages);
      // Other apps get full pages.
      if (!hasPage && hasMore && messages.length <= smallPageSize) {
        access.tiers.setLowest(access.teamId);
        return await readNewest(access, threadRef, before, collected, messages[0]?.reply_count);
      }
      hasPage = true;
    }
    return true;
  } catch (error) {
    if (!hasPage || !isRateLimited(error)) throw error;
    return false;
  }
}

/** Which part of a page is expected to be filled, since an overfull one lacks the newest messages. */
const fill = 0.7;

/** Reads one small page, which ends with the newest message; false if it could not be read. */
async function readNewest(
  { call }: Access,
  threadRef: ThreadRef,
  before: string,
  collected: Collected,
  knownCount?: number,
): Promise<boolean> {
  const count = knownCount ?? (await countReplies(call, threadRef));
  const [start, end] = [Number(threadRef.thread), Number(before)];
  const share = count < smallPageSize ? 1 : (smallPageSize * fill) / count;
  const oldest = share === 1 ? {} : { oldest: (end - (end - start) * share).toFixed(6) };
  try {
    for await (const { messages } of readPages(call, threadRef, { latest: before, ...oldest })) {
      collected.add(messages);
    }
    return true;
  } catch (error) {
    if (!isRateLimited(error)) throw error;
    return false;
  }
}

/** The count of replies in a thread; 0 if it cannot be read. */
async function countReplies(call: CallSlack, { channel, thread }: ThreadRef): Promise<number> {
  try {
    const request = { channel, latest: thread, inclusive: true, limit: 1 };
    const { messages } = page.parse(await call("conversations.history", request));
    return messages.find(({ ts }) => ts === thread)?.reply_count ?? 0;
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    return 0;
  }
}
