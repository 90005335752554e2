import { newId } from "#lib/ids";
import type { ChatContext } from "./context.ts";
import type { ThreadRef } from "./platform.ts";
import { insertQuestion } from "./question-store.ts";
import { sealSubject } from "./sealed.ts";
import type { Question } from "./trigger.ts";

/** How long a question can be answered. */
export const questionMs = 86_400_000;

type Asked = {
  connectionId: string;
  chatUserId: string;
  /** Where the answer continues. */
  threadRef: ThreadRef;
  question: Pick<Question, "kind" | "subject">;
};

/** Stores a question to a person and returns its ID for buttons. No client sees its subject. */
export async function storeQuestion(
  context: ChatContext,
  { connectionId, chatUserId, threadRef, question }: Asked,
): Promise<string> {
  const id = newId();
  await insertQuestion(context.db, {
    id,
    connection_id: connectionId,
    channel: threadRef.channel,
    thread: threadRef.thread,
    chat_user_id: chatUserId,
    kind: question.kind,
    sealed_subject: sealSubject(context, id, question.subject),
    message_id: null,
    answered_at: null,
    expires_at: context.clock.now() + questionMs,
    look_at: null,
  });
  return id;
}
