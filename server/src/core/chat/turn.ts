import type { Caller } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable, ChatInboxTable } from "#db";
import { newId } from "#lib/ids";
import type { ChatBlock } from "./block.ts";
import { textOfBlocks } from "./block-text.ts";
import { insertDelivery } from "./delivery-store.ts";
import { extendLease } from "./job-lease.ts";
import { updateClaimed } from "./inbox-store.ts";
import type { ThreadRef, ChatTransport } from "./platform.ts";
import { insertQuestion, setQuestionMessage } from "./question-store.ts";
import type { Trigger, Question, Turn } from "./responder.ts";
import { findStartedRuns, runOnce } from "./run-once.ts";
import { sealSubject } from "./sealed.ts";
import { readHistory, messageSteps } from "./transcript.ts";

/** How long a question can be answered. */
export const questionMs = 86_400_000;

type Parts = {
  claimed: ChatInboxTable;
  connection: ChatConnectionTable;
  transport: ChatTransport;
  caller: Caller;
  chatUserId: string;
  threadRef: ThreadRef;
  /** The message that it is about: what was said before it is history, and the answer comes after it. */
  since: string;
  trigger: Trigger;
  signal: AbortSignal;
  /** Takes the ids of the questions that the service answers by itself once this work is done. */
  resumed: string[];
};

/** What a responder works with. Everything that leaves a trace asks first whether the work is still ours. */
export function createTurn(context: ChatContext, parts: Parts): Turn {
  const { claimed, connection, transport, caller, chatUserId, threadRef, trigger, signal } = parts;
  const { db, clock } = context;
  const reply = createReply(context, parts);
  const unsentQuestionIds: string[] = [];
  return {
    id: claimed.id,
    caller,
    platform: connection.platform,
    teamName: connection.team_name,
    chatUserId,
    trigger,
    signal,
    history: () => {
      const { id: connectionId } = connection;
      return readHistory(context, { connectionId, transport, threadRef, before: parts.since });
    },
    reply: async (blocks, how) => {
      const messageId = await reply.show(blocks, how?.notify === true);
      if (unsentQuestionIds.length === 0) return;
      await db.transact([setQuestionMessage(db, unsentQuestionIds.splice(0), messageId)]);
    },
    editMessage: async (messageId, blocks) => {
      await extendLease(context, claimed);
      await transport.update(threadRef, { messageId, blocks });
    },
    startedRuns: async () =>
      claimed.attempt > 1 ? findStartedRuns(context, caller, claimed.id) : [],
    run: async (asked) => {
      await extendLease(context, claimed);
      return runOnce(context, caller, claimed.id, asked);
    },
    ask: async (question) => {
      await extendLease(context, claimed);
      const id = await keepQuestion(context, parts, question);
      unsentQuestionIds.push(id);
      if (question.resumes === true) parts.resumed.push(id);
      return id;
    },
    notifyOnCompletion: async (runId) => {
      const messageId = reply.messageId();
      if (messageId === undefined) throw new Error("A run's end was promised before any reply");
      const now = clock.now();
      await insertDelivery(db, {
        run_id: runId,
        connection_id: connection.id,
        ...threadRef,
        chat_user_id: chatUserId,
        message_id: messageId,
        shown: null,
        shown_at: now,
        created_at: now,
      });
    },
    downloadFile: (file, maxBytes) => transport.downloadFile(file, maxBytes),
    sendFile: async (file) => {
      await extendLease(context, claimed);
      await transport.uploadFile(threadRef, file);
    },
  };
}

/** The one message that answers some work. */
function createReply(context: ChatContext, parts: Parts) {
  const { claimed, connection, transport, chatUserId, threadRef, since } = parts;
  let messageId = claimed.reply_id ?? undefined;
  const post = async (blocks: readonly ChatBlock[], notify: boolean) => {
    // An earlier attempt may have posted and died before it could write so down.
    if (claimed.attempt > 1) messageId = await transport.findMarked(threadRef, claimed.id, since);
    if (messageId !== undefined) await transport.update(threadRef, { messageId, blocks });
    const mark = { mark: claimed.id, ...(notify ? { notify: chatUserId } : {}) };
    messageId ??= await transport.post(threadRef, { blocks, ...mark });
    const { db } = context;
    const said = { messageId, author: "bot", text: textOfBlocks(blocks) };
    await db.transact([
      updateClaimed(db, claimed, { reply_id: messageId }),
      ...messageSteps(context, connection.id, threadRef, said),
    ]);
    return messageId;
  };
  return {
    messageId: () => messageId,
    show: async (blocks: readonly ChatBlock[], notify: boolean): Promise<string> => {
      await extendLease(context, claimed);
      if (messageId === undefined) return post(blocks, notify);
      await transport.update(threadRef, { messageId, blocks });
      return messageId;
    },
  };
}

async function keepQuestion(
  context: ChatContext,
  { connection, chatUserId, threadRef }: Parts,
  { kind, subject }: Question,
): Promise<string> {
  const id = newId();
  await insertQuestion(context.db, {
    id,
    connection_id: connection.id,
    ...threadRef,
    chat_user_id: chatUserId,
    kind,
    sealed_subject: sealSubject(context, id, subject),
    message_id: null,
    answered_at: null,
    expires_at: context.clock.now() + questionMs,
    look_at: null,
  });
  return id;
}
