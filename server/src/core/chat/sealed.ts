import type { JsonObject } from "@toolhost/contract";
import type { ChatContext } from "./context.ts";
import type { QuestionResponse } from "./trigger.ts";

type Sealing = Pick<ChatContext, "responseSeal">;

/** Encrypts the subject of a question, which may contain tool input that is secret. */
export function sealSubject({ responseSeal }: Sealing, id: string, subject: JsonObject): string {
  return responseSeal.close(JSON.stringify(subject), `question ${id}`);
}

export function openSubject({ responseSeal }: Sealing, id: string, sealed: string): JsonObject {
  return JSON.parse(responseSeal.open(sealed, `question ${id}`)) as JsonObject;
}

/** Encrypts the response to a question. */
export function sealResponse(
  { responseSeal }: Sealing,
  id: string,
  response: QuestionResponse,
): string {
  return responseSeal.close(JSON.stringify(response), `response ${id}`);
}

export function openResponse(
  { responseSeal }: Sealing,
  id: string,
  sealed: string,
): QuestionResponse {
  return JSON.parse(responseSeal.open(sealed, `response ${id}`)) as QuestionResponse;
}

/** Encrypts the answer of the language model to a message, until it is posted. */
export function sealAnswer({ responseSeal }: Sealing, jobId: string, answer: JsonObject): string {
  return responseSeal.close(JSON.stringify(answer), `answer ${jobId}`);
}

export function openAnswer({ responseSeal }: Sealing, jobId: string, sealed: string): JsonObject {
  return JSON.parse(responseSeal.open(sealed, `answer ${jobId}`)) as JsonObject;
}

/** Encrypts a hint, which allows anyone to answer as the bot. */
export function sealHint({ responseSeal }: Sealing, id: string, hint: string): string {
  return responseSeal.close(hint, `hint ${id}`);
}

export function openHint({ responseSeal }: Sealing, id: string, sealed: string): string {
  return responseSeal.open(sealed, `hint ${id}`);
}

/** Encrypts what a link to a form is for, which makes the link unguessable. */
export function sealFormLink({ responseSeal }: Sealing, link: JsonObject): string {
  return responseSeal.close(JSON.stringify(link), "form link");
}

export function openFormLink({ responseSeal }: Sealing, sealed: string): JsonObject {
  return JSON.parse(responseSeal.open(sealed, "form link")) as JsonObject;
}

/** Encrypts the position of a stream, which allows anyone to resume it. */
export function sealPosition({ responseSeal }: Sealing, name: string, position: string): string {
  return responseSeal.close(position, `stream ${name}`);
}

export function openPosition({ responseSeal }: Sealing, name: string, sealed: string): string {
  return responseSeal.open(sealed, `stream ${name}`);
}
