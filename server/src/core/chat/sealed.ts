import type { JsonObject } from "@toolhost/contract";
import type { Context } from "#core/context";
import type { QuestionResponse } from "./responder.ts";

type Sealing = Pick<Context, "answerSeal">;

/** What a question is about, as the database keeps it: it may hold what a tool takes for a secret. */
export function sealSubject({ answerSeal }: Sealing, id: string, subject: JsonObject): string {
  return answerSeal.close(JSON.stringify(subject), `question ${id}`);
}

export function openSubject({ answerSeal }: Sealing, id: string, sealed: string): JsonObject {
  return JSON.parse(answerSeal.open(sealed, `question ${id}`)) as JsonObject;
}

/** The same of what was answered. */
export function sealResponse(
  { answerSeal }: Sealing,
  id: string,
  response: QuestionResponse,
): string {
  return answerSeal.close(JSON.stringify(response), `response ${id}`);
}

export function openResponse(
  { answerSeal }: Sealing,
  id: string,
  sealed: string,
): QuestionResponse {
  return JSON.parse(answerSeal.open(sealed, `response ${id}`)) as QuestionResponse;
}
