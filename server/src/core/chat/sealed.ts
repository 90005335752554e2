import type { JsonObject } from "@toolhost/contract";
import type { ChatContext } from "./context.ts";
import type { QuestionResponse } from "./trigger.ts";

type Sealing = Pick<ChatContext, "responseSeal">;

/** What a question is about, as the database keeps it: it may hold what a tool takes for a secret. */
export function sealSubject({ responseSeal }: Sealing, id: string, subject: JsonObject): string {
  return responseSeal.close(JSON.stringify(subject), `question ${id}`);
}

export function openSubject({ responseSeal }: Sealing, id: string, sealed: string): JsonObject {
  return JSON.parse(responseSeal.open(sealed, `question ${id}`)) as JsonObject;
}

/** The same of what was answered. */
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

/** What a platform gave to answer some work by, as the inbox keeps it: whoever has it can answer in our name. */
export function sealHint({ responseSeal }: Sealing, id: string, hint: string): string {
  return responseSeal.close(hint, `hint ${id}`);
}

export function openHint({ responseSeal }: Sealing, id: string, sealed: string): string {
  return responseSeal.open(sealed, `hint ${id}`);
}

/** How far a stream came, as the database keeps it: whoever has it can go on in our place. */
export function sealPosition({ responseSeal }: Sealing, name: string, position: string): string {
  return responseSeal.close(position, `stream ${name}`);
}

export function openPosition({ responseSeal }: Sealing, name: string, sealed: string): string {
  return responseSeal.open(sealed, `stream ${name}`);
}
