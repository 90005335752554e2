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

/** What a platform gave to answer some work by, as the inbox keeps it: whoever has it can answer in our name. */
export function sealHint({ answerSeal }: Sealing, id: string, hint: string): string {
  return answerSeal.close(hint, `hint ${id}`);
}

export function openHint({ answerSeal }: Sealing, id: string, sealed: string): string {
  return answerSeal.open(sealed, `hint ${id}`);
}

/** How far a stream came, as the database keeps it: whoever has it can go on in our place. */
export function sealPosition({ answerSeal }: Sealing, name: string, position: string): string {
  return answerSeal.close(position, `stream ${name}`);
}

export function openPosition({ answerSeal }: Sealing, name: string, sealed: string): string {
  return answerSeal.open(sealed, `stream ${name}`);
}
