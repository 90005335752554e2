import type { CompiledQuery } from "kysely";
import type { ChatConnectionTable, ChatQuestionTable, Database, TransactionStep } from "#db";

export async function insertQuestion({ kysely }: Database, row: ChatQuestionTable): Promise<void> {
  await kysely.insertInto("chat_questions").values(row).execute();
}

/** A question, answered or not. */
export async function findQuestion(
  { kysely }: Database,
  { id, connectionId }: { id: string; connectionId: string },
): Promise<ChatQuestionTable | undefined> {
  return kysely
    .selectFrom("chat_questions")
    .selectAll()
    .where("id", "=", id)
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
}

/** Marks a question as answered. Changes nothing if it was answered or has expired. */
export function takeQuestion(
  { kysely }: Database,
  { id, connectionId, now }: { id: string; connectionId: string; now: number },
): TransactionStep {
  const query = kysely
    .updateTable("chat_questions")
    .set({ answered_at: now })
    .where("id", "=", id)
    .where("connection_id", "=", connectionId)
    .where("answered_at", "is", null)
    .where("expires_at", ">", now)
    .compile();
  return { query, mustChange: true };
}

/** Sets the message that shows questions. */
export function setQuestionMessage(
  { kysely }: Database,
  ids: readonly string[],
  messageId: string,
): CompiledQuery {
  return kysely
    .updateTable("chat_questions")
    .set({ message_id: messageId })
    .where("id", "in", ids)
    .compile();
}

/** Starts checking whether these questions can be answered. */
export function watchQuestions(
  { kysely }: Database,
  ids: readonly string[],
  now: number,
): CompiledQuery {
  return kysely
    .updateTable("chat_questions")
    .set({ look_at: now })
    .where("id", "in", ids)
    .compile();
}

export type DueQuestion = ChatQuestionTable & Pick<ChatConnectionTable, "platform" | "team_id">;

/** Open questions to check, the longest waiting first. */
export async function findDueQuestions(
  { kysely }: Database,
  { now, limit }: { now: number; limit: number },
): Promise<DueQuestion[]> {
  return kysely
    .selectFrom("chat_questions")
    .innerJoin("chat_connections", "chat_connections.id", "chat_questions.connection_id")
    .selectAll("chat_questions")
    .select(["chat_connections.platform", "chat_connections.team_id"])
    .where("chat_questions.look_at", "<=", now)
    .where("chat_questions.answered_at", "is", null)
    .where("chat_questions.expires_at", ">", now)
    .where("chat_connections.state", "=", "active")
    .orderBy("chat_questions.look_at")
    .limit(limit)
    .execute();
}

/** The questions that wait for a person to confirm a run or to add credentials, newest first. */
export async function findOpenQuestions(
  { kysely }: Database,
  { connectionId, chatUserId, now }: { connectionId: string; chatUserId: string; now: number },
  limit: number,
): Promise<ChatQuestionTable[]> {
  return kysely
    .selectFrom("chat_questions")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .where("chat_user_id", "=", chatUserId)
    .where("expires_at", ">", now)
    .where("kind", "in", ["confirm", "again"])
    .where("answered_at", "is", null)
    .where("message_id", "is not", null)
    .orderBy("expires_at", "desc")
    .limit(limit)
    .execute();
}

type OffersOf = {
  connectionId: string;
  chatUserId: string;
  channel: string;
  /** Any thread of the channel without it. */
  thread: string | undefined;
  expires: { after: number; before: number };
};

/** The open offers to a person in a thread or channel that messages show, newest first. */
export async function findOpenOffers(
  { kysely }: Database,
  { connectionId, chatUserId, channel, thread, expires }: OffersOf,
): Promise<Pick<ChatQuestionTable, "id" | "message_id" | "sealed_subject">[]> {
  const query = kysely
    .selectFrom("chat_questions")
    .select(["id", "message_id", "sealed_subject"])
    .where("connection_id", "=", connectionId)
    .where("chat_user_id", "=", chatUserId)
    .where("channel", "=", channel)
    .where("kind", "=", "offer")
    .where("answered_at", "is", null)
    .where("message_id", "is not", null)
    .where("expires_at", ">", expires.after)
    .where("expires_at", "<=", expires.before)
    .orderBy("expires_at", "desc")
    .limit(10);
  return (thread === undefined ? query : query.where("thread", "=", thread)).execute();
}

/** The open questions behind the Stop buttons of a message. */
export async function findStopQuestions(
  { kysely }: Database,
  { connectionId, messageId, now }: { connectionId: string; messageId: string; now: number },
): Promise<Pick<ChatQuestionTable, "id" | "sealed_subject">[]> {
  return kysely
    .selectFrom("chat_questions")
    .select(["id", "sealed_subject"])
    .where("connection_id", "=", connectionId)
    .where("message_id", "=", messageId)
    .where("kind", "=", "stop")
    .where("answered_at", "is", null)
    .where("expires_at", ">", now)
    .execute();
}

/** Sets the time of the next check. Changes nothing if another node did. */
export function noteLook(
  { kysely }: Database,
  { id, look_at: seen }: Pick<ChatQuestionTable, "id" | "look_at">,
  next: number,
): TransactionStep {
  const query = kysely
    .updateTable("chat_questions")
    .set({ look_at: next })
    .where("id", "=", id)
    .where("look_at", "=", seen)
    .compile();
  return { query, mustChange: true };
}

export async function deleteOldQuestions({ kysely }: Database, before: number): Promise<void> {
  await kysely.deleteFrom("chat_questions").where("expires_at", "<", before).execute();
}
