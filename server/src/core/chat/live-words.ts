import { setTimeout as sleep } from "node:timers/promises";
import { isRateLimited, isRefused } from "./chat-error.ts";
import type { ChatContext } from "./context.ts";
import { updateClaimed } from "./inbox-store.ts";
import { extendLease } from "./job-lease.ts";
import type { ChatStream } from "./platform.ts";
import { messageSteps } from "./transcript.ts";
import type { Turn } from "./turn.ts";

/** A reply that is shown while it is written. `reply` completes it. */
export type LiveWords = {
  add(words: string): void;
  /** Starts a paragraph. Words that no one has seen are forgotten, because they were not the answer. */
  startParagraph(): void;
  /** The words so far, if the reply shows some of them. */
  shown(): string;
  /** Shows no more words, and waits for the platform. */
  close(): Promise<void>;
};

/** A shorter answer is complete before anyone could read its beginning. */
const minLength = 80;
const maxLength = 2_800;
const everyMs = 1_000;

/** Shows words in the reply of a turn where the platform can, at most once per second. */
export function createLiveWords(context: ChatContext, turn: Turn): LiveWords {
  const { job, threadRef, chatUserId, transport } = turn;
  const isFirst = turn.replyId === undefined && job.attempt === 1 && turn.isPrivate !== true;
  const stream = isFirst
    ? transport.openStream(threadRef, { chatUserId, mark: job.id })
    : undefined;
  const state = { words: "", isClosed: stream === undefined };
  const closing = new AbortController();
  let showing: Promise<void> | undefined;
  const isDue = () =>
    !state.isClosed && state.words.length >= minLength && state.words.length <= maxLength;
  const showAll = async (open: ChatStream) => {
    let shown = "";
    while (isDue() && state.words !== shown) {
      shown = state.words;
      const pauseMs = await show(context, turn, open, shown);
      if (pauseMs === undefined) state.isClosed = true;
      else await pause(pauseMs, closing.signal);
    }
    showing = undefined;
  };
  return {
    add: (words) => {
      state.words += words;
      if (stream !== undefined && isDue()) showing ??= showAll(stream);
    },
    startParagraph: () => {
      state.words = turn.stream === undefined && showing === undefined ? "" : `${state.words}\n\n`;
    },
    shown: () => (turn.stream === undefined ? "" : state.words.trim()),
    close: async () => {
      state.isClosed = true;
      closing.abort();
      await showing;
    },
  };
}

/** Shows words, and returns the time until more may be shown; undefined if no more can be. */
async function show(
  context: ChatContext,
  turn: Turn,
  stream: ChatStream,
  words: string,
): Promise<number | undefined> {
  try {
    await extendLease(context, turn.job);
    const messageId = await stream.show(words);
    if (messageId === undefined) return everyMs;
    const isFirst = turn.replyId === undefined;
    turn.replyId = messageId;
    turn.stream = stream;
    const { connection, threadRef } = turn;
    const shown = { messageId, author: "bot", text: words };
    await context.db.transact([
      // After a crash, the next attempt completes this message.
      ...(isFirst ? [updateClaimed(context.db, turn.job, { reply_id: messageId })] : []),
      // The message keeps these words if the person stops the bot.
      ...messageSteps(context, connection.id, threadRef, shown),
    ]);
    return everyMs;
  } catch (error) {
    context.log.debug({ err: error, job: turn.job.id }, "words could not be shown");
    if (turn.stream !== undefined && isRateLimited(error)) return error.retryAfterMs;
    if (turn.stream === undefined) turn.isUncertain = !isRateLimited(error) && !isRefused(error);
    return undefined;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
