import type { JsonObject } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { ChatConnectionTable } from "#db";
import type { ChatBlock } from "./block.ts";
import { textOfBlocks } from "./block-text.ts";
import type { ChatContext } from "./context.ts";
import { insertDelivery } from "./delivery-store.ts";
import { updateClaimed } from "./inbox-store.ts";
import type { ClaimedJob } from "./inbox-store.ts";
import { ChatError, isRateLimited, isRefused } from "./chat-error.ts";
import { extendLease } from "./job-lease.ts";
import { readJobState, storeJobState } from "./job-state.ts";
import { messages } from "./messages.ts";
import type {
  ChatOutcome,
  ChatStream,
  ChatThreadMessage,
  ChatTransport,
  ChatUpload,
  ThreadRef,
} from "./platform.ts";
import { setQuestionMessage } from "./question-store.ts";
import type { StatusLine } from "./status-line.ts";
import { storeQuestion } from "./store-question.ts";
import { messageSteps, readDirectHistory, readHistory } from "./transcript.ts";
import type { Question, Trigger } from "./trigger.ts";

/**
 * One trigger to answer, in the name of the person who asked. After a crash, or an error that may pass, the same job
 * starts a new turn, so a turn runs tools by `runOnce` alone. Every action that leaves a trace first extends the lease.
 */
export type Turn = {
  job: ClaimedJob;
  connection: ChatConnectionTable;
  transport: ChatTransport;
  /** The person, in the workspace that the team is connected to, with their current role. */
  caller: Caller;
  chatUserId: string;
  threadRef: ThreadRef;
  /** The message that started the turn: earlier ones are history, and the reply follows it. */
  since: string;
  /** Whether earlier threads of the channel are history, too. */
  isDirect: boolean;
  trigger: Trigger;
  /** Aborted when the service stops or the turn takes too long. */
  signal: AbortSignal;
  /** The message that answers the turn, once it is posted. */
  replyId: string | undefined;
  /** The reply while it is shown word by word. */
  stream?: ChatStream | undefined;
  /** Whether this attempt may have posted the reply although the platform did not confirm it. */
  isUncertain?: boolean;
  status: StatusLine;
  /** Whether the thread accepts no answer, so that it goes to the person alone. */
  isPrivate?: boolean;
  /** The message of the person that led to the turn, for example to the offer whose button was pressed. */
  originId: string | undefined;
  /** The state of the run that the turn answers with. */
  outcome?: ChatOutcome | "running" | undefined;
  /** Questions that no message shows yet. */
  unsentQuestionIds: string[];
  /** Questions that the service may answer itself once the job is done. */
  resumableQuestionIds: string[];
};

/** Posts the reply of a turn. Later calls replace its content, also after a crash. */
export async function reply(
  context: ChatContext,
  turn: Turn,
  blocks: readonly ChatBlock[],
  { notify = false }: { notify?: boolean } = {},
): Promise<void> {
  const { job, transport, threadRef } = turn;
  await extendLease(context, job);
  if (turn.isPrivate !== true && (await postOrEdit(context, turn, blocks, notify))) {
    await showQuestions(context, turn);
    return;
  }
  await transport.postPrivately(threadRef.channel, turn.chatUserId, [
    { kind: "text", text: messages.cannotPostHere },
    ...blocks,
  ]);
}

/** Posts or edits the reply; false if the platform refuses that, and the person can get it privately. */
async function postOrEdit(
  context: ChatContext,
  turn: Turn,
  blocks: readonly ChatBlock[],
  notify: boolean,
): Promise<boolean> {
  try {
    const messageId = await showReply(context, turn, blocks, notify);
    turn.replyId = messageId;
    const posted = { messageId, author: "bot", text: textOfBlocks(blocks) };
    await context.db.transact([
      updateClaimed(context.db, turn.job, { reply_id: messageId }),
      ...messageSteps(context, turn.connection.id, turn.threadRef, posted),
    ]);
    return true;
  } catch (error) {
    if (!isRefused(error) || !turn.transport.capabilities.directMessages) throw error;
    context.log.debug({ err: error, job: turn.job.id }, "a reply is sent privately");
    turn.isPrivate = true;
    return false;
  }
}

async function showQuestions(context: ChatContext, turn: Turn): Promise<void> {
  if (turn.replyId === undefined || turn.unsentQuestionIds.length === 0) return;
  const ids = turn.unsentQuestionIds.splice(0);
  await context.db.transact([setQuestionMessage(context.db, ids, turn.replyId)]);
}

/** Completes the message that shows the reply, or posts one, and returns its ID. */
async function showReply(
  context: ChatContext,
  turn: Turn,
  blocks: readonly ChatBlock[],
  notify: boolean,
): Promise<string> {
  const { job, transport, chatUserId, threadRef, since, stream } = turn;
  if (stream !== undefined && turn.replyId !== undefined) {
    turn.stream = undefined;
    await stream.finish(blocks);
    return turn.replyId;
  }
  // An earlier attempt may have posted the reply and died before it stored the message's ID.
  const isUnposted = readJobState(job).unpostedAttempt === job.attempt - 1;
  const maySearch = turn.isUncertain === true || (job.attempt > 1 && !isUnposted);
  if (turn.replyId === undefined && maySearch) {
    turn.replyId = await transport.findMarked(threadRef, job.id, since);
  }
  if (turn.replyId !== undefined) {
    await transport.update(threadRef, { messageId: turn.replyId, blocks, mark: job.id });
    return turn.replyId;
  }
  const mark = { mark: job.id, ...(notify ? { notify: chatUserId } : {}) };
  return postOnce(context, turn, { blocks, ...mark });
}

async function postOnce(
  context: ChatContext,
  { job, transport, threadRef, isUncertain = false }: Turn,
  message: Parameters<ChatTransport["post"]>[1],
): Promise<string> {
  try {
    return await repeatIfLost(transport, () => transport.post(threadRef, message));
  } catch (error) {
    // The next attempt need not search for the message.
    if (isRateLimited(error) && !isUncertain)
      await storeJobState(context, job, { unpostedAttempt: job.attempt });
    throw error;
  }
}

/** Repeats a post once whose response was lost, where the platform then returns the message of the first one. */
async function repeatIfLost(
  { capabilities }: ChatTransport,
  post: () => Promise<string>,
): Promise<string> {
  try {
    return await post();
  } catch (error) {
    const isLost = error instanceof ChatError && error.kind === "no_answer";
    if (!isLost || !capabilities.postsOnce) throw error;
    return post();
  }
}

/** Replaces what an earlier message of the bot shows, unless it no longer exists or cannot be edited. */
export async function editMessage(
  context: ChatContext,
  { job, transport, threadRef }: Turn,
  messageId: string,
  blocks: readonly ChatBlock[],
): Promise<void> {
  await extendLease(context, job);
  try {
    await transport.update(threadRef, { messageId, blocks });
  } catch (error) {
    if (!isRefused(error)) throw error;
    context.log.debug({ err: error, job: job.id }, "a message could not be edited");
  }
}

/** Uploads a file into the thread. After a crash it may be there twice. */
export async function uploadFile(
  context: ChatContext,
  { job, transport, threadRef }: Turn,
  file: ChatUpload,
): Promise<void> {
  await extendLease(context, job);
  await transport.uploadFile(threadRef, file);
}

/** The messages of the thread before the turn, oldest first, at most 20. Untrusted. */
export function readTurnHistory(
  context: ChatContext,
  { connection: { id: connectionId }, transport, threadRef, since: before, isDirect }: Turn,
): Promise<readonly ChatThreadMessage[]> {
  if (isDirect) return readDirectHistory(context, { connectionId, threadRef, before });
  return readHistory(context, { connectionId, transport, threadRef, before });
}

/** Stores a question to the person and returns its ID for buttons. No client sees its subject. */
export async function askQuestion(
  context: ChatContext,
  turn: Turn,
  { kind, subject, resumes = false }: Question,
): Promise<string> {
  await extendLease(context, turn.job);
  const { connection, chatUserId, threadRef } = turn;
  const asked = { connectionId: connection.id, chatUserId, threadRef };
  const id = await storeQuestion(context, {
    ...asked,
    question: { kind, subject: withOrigin(subject, turn) },
  });
  turn.unsentQuestionIds.push(id);
  if (resumes) turn.resumableQuestionIds.push(id);
  return id;
}

function withOrigin(subject: JsonObject, { originId }: Pick<Turn, "originId">): JsonObject {
  return originId === undefined ? subject : { ...subject, originId };
}

/** Starts one turn `run_ended` when a run ends, even after a crash. Throws before the first reply. */
export async function notifyOnCompletion(
  { db, clock }: Pick<ChatContext, "db" | "clock">,
  { connection, threadRef, chatUserId, since, isPrivate, replyId: postedId }: Turn,
  runId: string,
): Promise<void> {
  const replyId = postedId ?? (isPrivate === true ? since : undefined);
  if (replyId === undefined) throw new Error("No reply shows the run yet");
  const now = clock.now();
  await insertDelivery(db, {
    run_id: runId,
    connection_id: connection.id,
    ...threadRef,
    chat_user_id: chatUserId,
    message_id: replyId,
    shown: null,
    shown_at: now,
    created_at: now,
  });
}
