import type { CompiledQuery } from "kysely";
import type { ChatMessageTable } from "#db";
import type { ChatFile } from "./block.ts";
import type { ChatContext } from "./context.ts";
import { ChatError } from "./chat-error.ts";
import type { MessageEdit, ThreadMessage } from "./event.ts";
import type { ThreadRef, ChatThreadMessage, ChatTransport } from "./platform.ts";
import {
  changeMessage,
  findChannelMessages,
  findMessages,
  insertMessage,
  insertIfKnownThread,
  isThreadRead,
  markRead,
  trimThread,
  useThread,
} from "./transcript-store.ts";

/** How many messages of a thread are stored, and how many a turn gets. */
const maxMessages = 50;
const shownMessages = 20;
const maxTextLength = 4_000;
const maxFiles = 20;

function toRow({ messageId, author, text, files = [] }: ChatThreadMessage) {
  return {
    message_id: messageId,
    author,
    text: text.slice(0, maxTextLength),
    files: files.length === 0 ? null : JSON.stringify(files.slice(0, maxFiles)),
  };
}

function fromRow({ message_id: messageId, author, text, files }: ChatMessageTable) {
  const own = files === null ? {} : { files: JSON.parse(files) as ChatFile[] };
  return { messageId, author, text, ...own };
}

/** Stores a message if the bot was asked in its thread. */
export async function recordIfKnownThread(
  context: ChatContext,
  platform: string,
  { teamId, channel, thread, chatUserId: author, ...message }: ThreadMessage,
): Promise<void> {
  await insertIfKnownThread(context.db, {
    platform,
    teamId,
    channel,
    thread,
    ...toRow({ ...message, author }),
  });
}

/** Applies an edit or deletion. */
export async function updateRecordedMessage(
  { db }: Pick<ChatContext, "db">,
  platform: string,
  { teamId, channel, messageId, text }: MessageEdit,
): Promise<void> {
  const shortened = text === null ? null : text.slice(0, maxTextLength);
  await db.transact([changeMessage(db, { platform, teamId, channel, messageId }, shortened)]);
}

/** The steps that store a message and its thread. */
export function messageSteps(
  { db, clock }: Pick<ChatContext, "db" | "clock">,
  connectionId: string,
  { channel, thread }: ThreadRef,
  message: ChatThreadMessage,
): CompiledQuery[] {
  const key = { connection_id: connectionId, channel, thread };
  const row = { ...key, ...toRow(message) };
  return [
    useThread(db, key, { now: clock.now(), isFirst: message.messageId === thread }),
    insertMessage(db, row),
    trimThread(db, key, maxMessages),
  ];
}

type Reading = {
  connectionId: string;
  transport: ChatTransport;
  threadRef: ThreadRef;
  /** Only earlier messages. */
  before: string;
};

/**
 * The earlier messages of a thread, oldest first. Those from before the bot was first asked are read from the
 * platform once, and are missing where it does not allow that.
 */
export async function readHistory(
  context: ChatContext,
  { connectionId, transport, threadRef, before }: Reading,
): Promise<ChatThreadMessage[]> {
  const { channel, thread } = threadRef;
  const key = { connection_id: connectionId, channel, thread };
  const { history } = transport.capabilities;
  if (history && !(await isThreadRead(context.db, key))) {
    await fetchThread(context, { connectionId, transport, threadRef, before });
  }
  const rows = await findMessages(context.db, key, { before, limit: shownMessages });
  return rows.map(fromRow);
}

/** How long ago a thread was used that is context for the next direct message. */
const directMs = 3_600_000;

/**
 * The other messages of a conversation with the bot alone, from all of its recent threads, oldest first. The answer to
 * an earlier message may be newer than the message of this turn.
 */
export async function readDirectHistory(
  { db, clock }: Pick<ChatContext, "db" | "clock">,
  { connectionId, threadRef: { channel }, before }: Omit<Reading, "transport">,
): Promise<ChatThreadMessage[]> {
  const where = { connection_id: connectionId, channel, usedSince: clock.now() - directMs };
  const rows = await findChannelMessages(db, where, { except: before, limit: shownMessages });
  return rows.map(fromRow);
}

async function fetchThread(
  context: ChatContext,
  { connectionId, transport, threadRef, before }: Reading,
): Promise<void> {
  const key = { connection_id: connectionId, channel: threadRef.channel, thread: threadRef.thread };
  try {
    const { messages, isComplete } = await transport.readThread(threadRef, {
      before,
      limit: shownMessages,
    });
    const { db, clock } = context;
    const read = isComplete ? [markRead(db, key)] : [];
    await db.transact([
      useThread(db, key, { now: clock.now(), isFirst: false }),
      ...messages.map((message) => insertMessage(db, { ...key, ...toRow(message) })),
      ...read,
    ]);
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    context.log.debug({ err: error }, "a thread could not be read");
  }
}
