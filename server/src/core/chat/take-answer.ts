import type { ChatConnectionTable, ChatQuestionTable } from "#db";
import { newId } from "#lib/ids";
import type { ChatContext } from "./context.ts";
import type { InboxJob } from "./event.ts";
import { insertJob } from "./inbox-store.ts";
import { takeQuestion } from "./question-store.ts";
import { sealHint, sealResponse } from "./sealed.ts";
import { threadKey } from "./thread-key.ts";
import type { QuestionResponse } from "./trigger.ts";

type Answer = { isExternal: boolean; response: QuestionResponse; hint?: string | undefined };

/** Consumes the question and enqueues its answer in one transaction; false when another answer was first. */
export async function answer(
  context: ChatContext,
  connection: ChatConnectionTable,
  row: ChatQuestionTable,
  { isExternal, response, hint }: Answer,
): Promise<boolean> {
  const { db, clock } = context;
  const { platform, team_id: teamId, id: connectionId } = connection;
  const { id, channel, thread } = row;
  const [now, jobId] = [clock.now(), newId()];
  const job: InboxJob = {
    kind: "answer",
    answer: {
      channel,
      thread,
      chatUserId: row.chat_user_id,
      isExternal,
      questionId: id,
      questionKind: row.kind,
      sealedSubject: row.sealed_subject,
      messageId: row.message_id,
      sealedResponse: sealResponse(context, id, response),
      ...(hint === undefined ? {} : { hint: sealHint(context, jobId, hint) }),
    },
  };
  const query = insertJob(db, {
    id: jobId,
    platform,
    team_id: teamId,
    event_id: `question:${id}`,
    message_key: null,
    thread_key: threadKey(platform, teamId, { channel, thread }),
    kind: job.kind,
    payload: JSON.stringify(job),
    created_at: now,
  });
  const isFirst = await db.transact([takeQuestion(db, { id, connectionId, now }), query]);
  if (isFirst) context.chat.worker.kick();
  return isFirst;
}
