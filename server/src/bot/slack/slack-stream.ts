import { z } from "zod";
import { ChatError, isRateLimited } from "#core/chat";
import type { ChatBlock, ChatStream, ThreadRef } from "#core/chat";
import { sanitizeMarkdown, toSlackBlocks } from "./slack-blocks.ts";
import type { CallSlack } from "./slack-call.ts";
import type { Features } from "./slack-features.ts";
import { callWithContent, contents, isContentRefused } from "./slack-post.ts";
import { toMetadata } from "./slack-thread.ts";

/** Below Slack's limits per team: 20 streams are started and stopped per minute, and 100 parts are appended. */
const startsPerMinute = 15;
const appendsPerMinute = 80;
/** Until there is room for another part. */
const retryAfterMs = 2_000;

type Team = { teamId: string; call: CallSlack; features: Features };
type Streamed = { threadRef: ThreadRef; chatUserId: string; mark: string };

/** A streamed message; undefined where Slack recently refused one, or too many were started. */
export function openSlackStream(team: Team, streamed: Streamed): ChatStream | undefined {
  const { teamId, call, features } = team;
  const { threadRef, mark } = streamed;
  const { channel } = threadRef;
  const starts = `${teamId} stream`;
  const appends = `${teamId} append`;
  if (!features.isAllowed(starts, channel) || !features.take(starts, startsPerMinute)) {
    return undefined;
  }
  let messageId: string | undefined;
  let shown = "";
  /** Whether Slack shows exactly these words. */
  let isCertain = true;
  const append = async (ts: string, part: string) => {
    if (!features.take(appends, appendsPerMinute)) {
      throw new ChatError("later", "chat.appendStream: too many parts", { retryAfterMs });
    }
    const values = { channel, ts, markdown_text: part };
    try {
      await features.use(appends, channel, () => call("chat.appendStream", values));
    } catch (error) {
      isCertain = isRateLimited(error);
      throw error;
    }
  };
  return {
    show: async (words) => {
      const part = nextPart(shown, words);
      if (part === "") return messageId;
      if (messageId === undefined) {
        messageId = await features.use(starts, channel, () => start(team, streamed, part));
      } else {
        await append(messageId, part);
      }
      shown += part;
      return messageId;
    },
    finish: async (blocks) => {
      if (messageId === undefined) throw new Error("The stream was not started");
      const message = { messageId, blocks, mark };
      const isComplete = isCertain && (await stopWith(call, threadRef, message, shown));
      if (!isComplete) await updateSlackMessage(call, threadRef, message);
    },
  };
}

const started = z.object({ ts: z.string() });

async function start(
  { teamId, call }: Team,
  { threadRef: { channel, thread }, chatUserId }: Streamed,
  part: string,
): Promise<string> {
  const values = { channel, thread_ts: thread, markdown_text: part };
  const recipient = { recipient_team_id: teamId, recipient_user_id: chatUserId };
  const isDirect = channel.startsWith("D");
  try {
    const answer = await call("chat.startStream", isDirect ? values : { ...values, ...recipient });
    return started.parse(answer).ts;
  } catch (error) {
    // A direct conversation has one recipient. Some workspaces require it nevertheless.
    if (!isDirect || !hasCode(error, /^missing_recipient_/)) throw error;
    return started.parse(await call("chat.startStream", { ...values, ...recipient })).ts;
  }
}

/**
 * The words that follow those shown: whole ones only, because Slack drops white space at the start of a part. None once
 * the beginning is rendered differently, for example because a link turned up.
 */
function nextPart(shown: string, words: string): string {
  const whole = /^\s*([^]*\s)(?=\S)/.exec(words)?.[1] ?? "";
  const rendered = sanitizeMarkdown(whole);
  return rendered.startsWith(shown) ? rendered.slice(shown.length) : "";
}

type Message = { messageId: string; blocks: readonly ChatBlock[]; mark?: string };

/** Stops a stream whose words are the beginning of the message. False if it has to be edited instead. */
async function stopWith(
  call: CallSlack,
  { channel }: ThreadRef,
  { messageId: ts, blocks: [first, ...others], mark }: Message,
  shown: string,
): Promise<boolean> {
  const words = first?.kind === "markdown" ? sanitizeMarkdown(first.text) : "";
  if (!words.startsWith(shown)) return false;
  const rest = words === shown ? {} : { markdown_text: words.slice(shown.length) };
  const blocks = toSlackBlocks(others);
  try {
    const values = { channel, ts, ...rest, ...(blocks.length === 0 ? {} : { blocks }) };
    await call("chat.stopStream", { ...values, ...metadataOf(mark) });
    return true;
  } catch (error) {
    if (!isContentRefused(error) && !hasCode(error, closedCodes)) throw error;
    return false;
  }
}

/** Slack closes a stream after five minutes, or when a person presses Stop. */
const closedCodes = /^(?:message_not_in_streaming_state|stopped_by_user)$/;

/** Replaces the content of a message. An open stream is stopped first, because Slack refuses to edit one. */
export async function updateSlackMessage(
  call: CallSlack,
  { channel }: ThreadRef,
  { messageId: ts, blocks, mark }: Message,
): Promise<void> {
  const values = { channel, ts, ...metadataOf(mark) };
  try {
    await callWithContent(call, "chat.update", contents(blocks), values);
  } catch (error) {
    if (!hasCode(error, /^streaming_state_conflict$/)) throw error;
    await stop(call, { channel, ts });
    await callWithContent(call, "chat.update", contents(blocks), values);
  }
}

async function stop(call: CallSlack, values: { channel: string; ts: string }): Promise<void> {
  try {
    await call("chat.stopStream", values);
  } catch (error) {
    if (!hasCode(error, closedCodes)) throw error;
  }
}

function metadataOf(mark: string | undefined) {
  return mark === undefined ? {} : { metadata: toMetadata(mark) };
}

function hasCode(error: unknown, code: RegExp): boolean {
  return error instanceof ChatError && code.test(error.message.replace(/^.*: /, ""));
}
