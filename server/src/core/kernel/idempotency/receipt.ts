import type { Caller } from "../caller.ts";
import type { BaseContext, NodeContext } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import type { TransactionStep } from "#db";
import type { KeptAnswer, KeyedRequest } from "./record.ts";
import { deleteRecord, insertRecord, keepAnswer } from "./record-store.ts";

/** A request's hold on its key while its handler works. */
export type Receipt = {
  /** The step that keeps the answer to a result, in the transaction of what the handler changes. */
  keep(result: unknown): TransactionStep;
};

/** The receipt as the door holds it. */
export type OpenReceipt = Receipt & {
  /** What {@link Receipt.keep} last made, once its transaction is through. */
  kept(): KeptAnswer | undefined;
};

type Options = {
  /** How the door answers a handler's result. */
  present: (result: unknown) => KeptAnswer;
  /** The answer holds a secret, so it is kept encrypted. */
  isSecret: boolean;
};

/** Takes the request's key for its handler; undefined when the key is taken already. */
export async function openReceipt(
  context: NodeContext,
  request: KeyedRequest,
  { present, isSecret }: Options,
): Promise<OpenReceipt | undefined> {
  const taken = { nodeId: context.nodeId, runId: null, headers: {}, answer: undefined };
  if (!(await insertRecord(context.db, request, taken))) return undefined;
  let answer: KeptAnswer | undefined;
  return {
    keep: (result) => {
      answer = present(result);
      return keepStep(context, request, answer, isSecret);
    },
    kept: () => answer,
  };
}

/** Keeps an answer apart from any change: for handlers that change nothing, such as one that refuses. */
export async function settleKey(
  context: NodeContext,
  request: KeyedRequest,
  answer: KeptAnswer,
  isSecret: boolean,
): Promise<void> {
  await context.db.transact([keepStep(context, request, answer, isSecret)]);
}

/** Lets the key go, as if the request had never come. */
export async function releaseKey(context: NodeContext, request: KeyedRequest): Promise<void> {
  const { recordId, claim } = request;
  await deleteRecord(context.db, { id: recordId, claim, isAnswered: false });
}

/**
 * Writes a handler's change and, in the same transaction, its answer for the caller's Idempotency-Key: so
 * after a crash both are there or neither. False when a `mustChange` step changed nothing. `result` is what
 * the handler will return. Throws `unavailable` when the key was taken from a node held for dead.
 */
export async function commitWrite(
  context: Pick<BaseContext, "db">,
  caller: Pick<Caller, "receipt">,
  result: unknown,
  steps: readonly TransactionStep[],
): Promise<boolean> {
  const keep = caller.receipt?.keep(result);
  return context.db.transact(keep === undefined ? steps : [...steps, keep]);
}

/** Some change that cannot fail by itself did: then the key is no longer this handler's. */
export function lostKey(): ServiceError {
  return new ServiceError("unavailable", "Another node took this request over. Try again.", {
    retryAfterSeconds: 1,
  });
}

function keepStep(
  context: NodeContext,
  request: KeyedRequest,
  answer: KeptAnswer,
  isSecret: boolean,
): TransactionStep {
  const { body } = answer;
  const isEncrypted = isSecret && body !== null;
  const stored = isEncrypted
    ? { ...answer, body: context.responseSeal.close(body, request.recordId) }
    : answer;
  return { query: keepAnswer(context.db, request, stored, isEncrypted), mustChange: true };
}
