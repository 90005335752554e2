import type { ChatContext } from "./context.ts";
import { newId } from "#lib/ids";
import { acknowledgeSoon, finishSoon } from "./acknowledge.ts";
import { readPhrase } from "./answers/read-phrase.ts";
import { findTeamConnection } from "./connection-store.ts";
import type { MessageEdit, BotRemoval, ChatMessage, InboxJob, ThreadMessage } from "./event.ts";
import { findThreadDeliveries } from "./delivery-store.ts";
import { insertJob } from "./inbox-store.ts";
import { messages } from "./messages.ts";
import { openTransport } from "./open-transport.ts";
import { sealHint } from "./sealed.ts";
import { findOpenJobs, markStopped } from "./stop-store.ts";
import { threadKey } from "./thread-key.ts";
import { updateRecordedMessage, recordIfKnownThread } from "./transcript.ts";

/** Limits beyond what platforms allow. */
const maxTextLength = 40_000;
const maxFiles = 20;
const maxEchoLength = 500;

/**
 * Receives a message to the bot. Once this returns, the message is in the inbox and will be answered even after a
 * crash. A repeated event or message, or one of a team that is not connected, changes nothing.
 */
export async function receiveMessage(
  context: ChatContext,
  platform: string,
  message: ChatMessage,
): Promise<void> {
  const { teamId, channel, thread, chatUserId } = message;
  const { isDirect = false, eventId, messageId, hint } = message;
  // Direct messages are context for each other, so they are processed in order.
  const order = { channel, thread: isDirect ? channel : thread };
  const id = newId();
  const bounded = {
    ...message,
    text: message.text.slice(0, maxTextLength),
    files: message.files.slice(0, maxFiles),
    ...(hint === undefined ? {} : { hint: sealHint(context, id, hint) }),
  };
  // A message in a conversation with the bot alone stops what was asked in any of its threads.
  const within = { platform, teamId, channel, thread: isDirect ? undefined : thread, chatUserId };
  const isStop = readPhrase(message.text) === "stop";
  const stopped = isStop ? await findOpenJobsOf(context, within) : [];
  const isNew = await enqueue(context, platform, {
    id,
    teamId,
    eventId,
    messageKey: `${channel}:${messageId}`,
    threadKey: threadKey(platform, teamId, order),
    job: {
      kind: "message",
      message: bounded,
      ...(isStop ? { stoppedJobIds: stopped.map((one) => one.id) } : {}),
    },
    stopped,
  });
  if (isNew && message.isEvent !== true) acknowledgeSoon(context, { id, platform, message });
}

/** Receives that a person stopped the bot by a button of the platform, which is the same as a message "stop". */
export async function receiveStop(
  context: ChatContext,
  platform: string,
  { teamId, channel, thread, ...stop }: Omit<ChatMessage, "text" | "files" | "isDirect">,
): Promise<void> {
  const message = { teamId, channel, thread, ...stop, isEvent: true };
  await receiveMessage(context, platform, { ...message, text: "stop", files: [] });
}

/** Receives a request that is not a message, and returns what to show at once. */
export async function receiveCommand(
  context: ChatContext,
  platform: string,
  message: ChatMessage,
): Promise<string> {
  if (!(await isConnected(context, platform, message.teamId))) return messages.notConnected;
  await receiveMessage(context, platform, message);
  return messages.commandReceived(message.text.slice(0, maxEchoLength));
}

/** Whether a team is connected to any workspace. */
export async function isConnected(
  { db }: ChatContext,
  platform: string,
  teamId: string,
): Promise<boolean> {
  return (await findTeamConnection(db, platform, teamId)) !== undefined;
}

/** Receives the event that the bot was removed from a team, with the guarantees of {@link receiveMessage}. */
export async function receiveBotRemoval(
  context: ChatContext,
  platform: string,
  { teamId, eventId, reason }: BotRemoval,
): Promise<void> {
  await enqueue(context, platform, {
    id: newId(),
    teamId,
    eventId,
    messageKey: null,
    threadKey: threadKey(platform, teamId, undefined),
    job: { kind: "departure", reason },
  });
}

/** Applies an edit or deletion to a stored message. */
export async function recordMessageEdit(
  context: ChatContext,
  platform: string,
  changed: MessageEdit,
): Promise<void> {
  await updateRecordedMessage(context, platform, changed);
}

/**
 * Stores a message of a thread in which the bot was asked; ignores other threads. A message "stop" of a person whom the
 * bot is answering there stops the bot.
 */
export async function recordThreadMessage(
  context: ChatContext,
  platform: string,
  message: ThreadMessage,
): Promise<void> {
  if (readPhrase(message.text) === "stop" && (await isAnswering(context, platform, message))) {
    const { eventId = message.messageId, files = [] } = message;
    await receiveMessage(context, platform, { ...message, eventId, files });
  } else {
    const { eventId: _, isExternal: __, ...recorded } = message;
    await recordIfKnownThread(context, platform, recorded);
  }
}

/** Whether an answer to a person, or a run of theirs, is in progress in a thread. */
async function isAnswering(
  context: ChatContext,
  platform: string,
  { teamId, channel, thread, chatUserId }: ThreadMessage,
): Promise<boolean> {
  const within = { platform, teamId, channel, thread, chatUserId };
  if ((await findOpenJobsOf(context, within)).length > 0) return true;
  const connection = await findTeamConnection(context.db, platform, teamId);
  if (connection === undefined) return false;
  const where = { connectionId: connection.id, channel, thread, chatUserId };
  return (await findThreadDeliveries(context.db, where)).length > 0;
}

type NewJobInput = {
  id: string;
  teamId: string;
  eventId: string;
  messageKey: string | null;
  threadKey: string;
  job: InboxJob;
  /** The open jobs that this one stops. */
  stopped?: readonly OpenJob[];
};

async function enqueue(
  context: ChatContext,
  platform: string,
  { id, teamId, eventId, messageKey, threadKey: key, job, stopped = [] }: NewJobInput,
): Promise<boolean> {
  const query = insertJob(context.db, {
    id,
    platform,
    team_id: teamId,
    event_id: eventId,
    message_key: messageKey,
    thread_key: key,
    kind: job.kind,
    payload: JSON.stringify(job),
    created_at: context.clock.now(),
  });
  const now = context.clock.now();
  const stopping = stopped.map((one) => markStopped(context.db, one.id, now));
  if (!(await context.db.transact([{ query, mustChange: true }, ...stopping]))) return false;
  for (const one of stopped) await showStopped(context, { platform, teamId, ...one });
  context.chat.worker.kick();
  return true;
}

type OpenJob = { id: string; job: InboxJob };

type Within = {
  platform: string;
  teamId: string;
  channel: string;
  /** Any thread of the channel without it. */
  thread: string | undefined;
  chatUserId: string;
};

/** The unfinished requests of a person, also those that wait for a retry. */
async function findOpenJobsOf(
  { db }: ChatContext,
  { chatUserId, thread, ...where }: Within,
): Promise<OpenJob[]> {
  return (await findOpenJobs(db, where))
    .map(({ id, payload }) => ({ id, job: JSON.parse(payload) as InboxJob }))
    .filter(({ job }) => {
      // A "stop" that is stopped would leave runs that it has not cancelled yet.
      if (job.kind === "message" && job.stoppedJobIds !== undefined) return false;
      if (job.kind !== "message" && job.kind !== "answer") return false;
      const asked = job.kind === "message" ? job.message : job.answer;
      return asked.chatUserId === chatUserId && (thread === undefined || asked.thread === thread);
    });
}

/** Aborts a stopped job if this node processes it, and marks its message. */
async function showStopped(
  context: ChatContext,
  { platform, teamId, id, job }: OpenJob & { platform: string; teamId: string },
): Promise<void> {
  context.chat.worker.abort(id);
  if (job.kind !== "message" || job.message.isEvent === true) return;
  const connection = await findTeamConnection(context.db, platform, teamId);
  if (connection === undefined) return;
  const { channel, messageId } = job.message;
  const transport = openTransport(context, connection);
  finishSoon(context, transport, { message: { channel, messageId }, outcome: undefined });
}
