import { randomUUID } from "node:crypto";
import { cardType } from "./teams-card.ts";

/** What Teams shows to the person who pressed a button: a short text, or a card instead of the message. */
export type InvokeAnswer = { statusCode: number; type: string; value: unknown };

/** Button presses that wait for their answer in this process, since it is the response to their request. */
const pending = new Map<string, InvokeAnswer | undefined>();

/** Answers a press by what `work` gave to `answerInvoke`, or by what it returns. */
export async function answerPress(
  work: (invoke: string) => Promise<InvokeAnswer>,
): Promise<InvokeAnswer> {
  const invoke = randomUUID();
  pending.set(invoke, undefined);
  try {
    const answer = await work(invoke);
    return pending.get(invoke) ?? answer;
  } finally {
    pending.delete(invoke);
  }
}

/** False for a press that was answered already. */
export function answerInvoke(invoke: string | undefined, answer: InvokeAnswer): boolean {
  if (invoke === undefined || !pending.has(invoke)) return false;
  pending.set(invoke, answer);
  return true;
}

export function toTextAnswer(value: string): InvokeAnswer {
  return { statusCode: 200, type: "application/vnd.microsoft.activity.message", value };
}

export function toCardAnswer(value: object): InvokeAnswer {
  return { statusCode: 200, type: cardType, value };
}
