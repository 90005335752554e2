import type { CompiledQuery } from "kysely";
import type { ChatQuestionTable, Database, TransactionStep } from "#db";

export async function insertQuestion({ kysely }: Database, row: ChatQuestionTable): Promise<void> {
  await kysely.insertInto("chat_questions").values(row).execute();
}

/** A question of a connection, whether or not it can still be answered. */
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

/** Uses a question up; undoes all when another answer was faster. */
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

/** Names the message that shows a user's questions of a thread which no message showed yet. */
export function placeQuestions(
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

export async function deleteOldQuestions({ kysely }: Database, before: number): Promise<void> {
  await kysely.deleteFrom("chat_questions").where("expires_at", "<", before).execute();
}
