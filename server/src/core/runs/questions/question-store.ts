import type { CompiledQuery } from "kysely";
import type { Database, RunTable } from "#db";

/** The attempt of a run that asks. Only its node writes and closes its question. */
type Asking = Pick<RunTable, "id" | "node_id" | "attempt">;

function attemptOf(db: Database, { id, node_id: nodeId, attempt }: Asking) {
  return db.kysely
    .updateTable("runs")
    .where("id", "=", id)
    .where("node_id", "=", nodeId)
    .where("attempt", "=", attempt)
    .where("status", "=", "running");
}

/** Opens a question. False if the run has ended, or belongs to another node or attempt. */
export async function openQuestion(db: Database, run: Asking, question: string): Promise<boolean> {
  const { numUpdatedRows } = await attemptOf(db, run)
    .set({ question, sealed_answer: null })
    .where("cancel_requested", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores the answer to an open question; changes nothing if that is no longer open. */
export function storeAnswer(
  db: Database,
  { id, question }: Pick<RunTable, "id" | "question">,
  sealedAnswer: string,
): CompiledQuery {
  return db.kysely
    .updateTable("runs")
    .set({ sealed_answer: sealedAnswer })
    .where("id", "=", id)
    .where("status", "=", "running")
    .where("question", "=", question)
    .where("sealed_answer", "is", null)
    .compile();
}

/** The question of a run, and the encrypted answer to it. */
export async function findQuestion(
  db: Database,
  { id }: Pick<Asking, "id">,
): Promise<Pick<RunTable, "question" | "sealed_answer"> | undefined> {
  return db.kysely
    .selectFrom("runs")
    .select(["question", "sealed_answer"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Closes a question that has no answer. False if it has one. */
export async function closeUnanswered(db: Database, run: Asking): Promise<boolean> {
  const { numUpdatedRows } = await attemptOf(db, run)
    .set({ question: null })
    .where("sealed_answer", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes the question of a run and its answer. */
export async function deleteQuestion(db: Database, run: Asking): Promise<void> {
  await attemptOf(db, run).set({ question: null, sealed_answer: null }).execute();
}
