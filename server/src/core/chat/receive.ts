import type { ChatContext } from "./context.ts";
import { newId } from "#lib/ids";
import { acknowledgeSoon } from "./acknowledge.ts";
import { findTeamConnection } from "./connection-store.ts";
import type { MessageEdit, ChatDeparture, ChatMessage, InboxJob, ThreadMessage } from "./event.ts";
import { insertJob } from "./inbox-store.ts";
import { sealHint } from "./sealed.ts";
import { threadKey } from "./thread-key.ts";
import { updateRecordedMessage, recordIfKnownThread } from "./transcript.ts";

/** Longer messages than platforms allow are somebody's try. */
const maxTextLength = 40_000;
const maxFiles = 20;

/**
 * Takes a message to the bot. Once it returns, the message is in the inbox and will be answered, whatever dies. A
 * message that came before, by this event or another, and one of a team that is not connected, changes nothing.
 */
export async function receiveMessage(
  context: ChatContext,
  platform: string,
  message: ChatMessage,
): Promise<void> {
  const { teamId, channel, thread, eventId, messageId, hint } = message;
  const id = newId();
  const bounded = {
    ...message,
    text: message.text.slice(0, maxTextLength),
    files: message.files.slice(0, maxFiles),
    ...(hint === undefined ? {} : { hint: sealHint(context, id, hint) }),
  };
  const isNew = await enqueue(context, platform, {
    id,
    teamId,
    eventId,
    messageKey: `${channel}:${messageId}`,
    threadKey: threadKey(platform, teamId, { channel, thread }),
    job: { kind: "message", message: bounded },
  });
  if (isNew) acknowledgeSoon(context, { id, platform, message });
}

/** Whether a team is connected to any workspace, for doors that have to tell. */
export async function isConnected(
  { db }: ChatContext,
  platform: string,
  teamId: string,
): Promise<boolean> {
  return (await findTeamConnection(db, platform, teamId)) !== undefined;
}

/** Takes the news that the bot is no longer in a team, as {@link receiveMessage}. */
export async function receiveDeparture(
  context: ChatContext,
  platform: string,
  { teamId, eventId, reason }: ChatDeparture,
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

/** Keeps up with a message that was changed or deleted, if it was kept. */
export async function recordMessageEdit(
  context: ChatContext,
  platform: string,
  changed: MessageEdit,
): Promise<void> {
  await updateRecordedMessage(context, platform, changed);
}

/** Keeps what was said in a thread that the bot was asked in, and nothing of any other. */
export async function recordThreadMessage(
  context: ChatContext,
  platform: string,
  message: ThreadMessage,
): Promise<void> {
  await recordIfKnownThread(context, platform, message);
}

type NewJobInput = {
  id: string;
  teamId: string;
  eventId: string;
  messageKey: string | null;
  threadKey: string;
  job: InboxJob;
};

async function enqueue(
  context: ChatContext,
  platform: string,
  { id, teamId, eventId, messageKey, threadKey: key, job }: NewJobInput,
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
  if (!(await context.db.transact([{ query, mustChange: true }]))) return false;
  context.chat.worker.kick();
  return true;
}
