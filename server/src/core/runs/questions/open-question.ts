import type { Answer, Question } from "@toolhost/contract";
import type { RunTable } from "#db";
import type { RunsContext } from "../context.ts";

/** The open question of a run. Undefined if it has none, or that is answered. */
export function openQuestionOf(
  row: Partial<Pick<RunTable, "question" | "sealed_answer">> & Pick<RunTable, "status">,
): Question | undefined {
  if (row.status !== "running" || row.question == null || row.sealed_answer != null) {
    return undefined;
  }
  return JSON.parse(row.question) as Question;
}

type Sealing = Pick<RunsContext, "responseSeal">;

/** Encrypts an answer for the database. */
export function sealAnswer({ responseSeal }: Sealing, questionId: string, answer: Answer): string {
  return responseSeal.close(JSON.stringify(answer), associatedData(questionId));
}

/** Decrypts an answer from the database. Throws when it cannot be decrypted. */
export function unsealAnswer(
  { responseSeal }: Sealing,
  questionId: string,
  sealed: string,
): Answer {
  return JSON.parse(responseSeal.open(sealed, associatedData(questionId))) as Answer;
}

function associatedData(questionId: string): string {
  return `answer to question ${questionId}`;
}

/** Where the node that asks listens for the answer. */
export function answerAddress(questionId: string): string {
  return `answer:${questionId}`;
}
