import { setTimeout } from "node:timers/promises";
import type { Caller } from "../caller.ts";
import type { BaseContext, NodeContext } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import type { TransactionStep } from "#db";
import type { IdempotencyHandle } from "./handle.ts";
import type { KeyedRequest, StoredResponse } from "./record.ts";
import { deleteRecord, insertRecord, storeResponse } from "./record-store.ts";

/** The handle as the interface that opened it uses it. */
export type OpenIdempotencyHandle = IdempotencyHandle & {
  /** The response that {@link IdempotencyHandle.store} last made; stored once its transaction is committed. */
  stored(): StoredResponse | undefined;
};

type Options = {
  /** Builds the response to a handler's result. */
  present: (result: unknown) => StoredResponse;
  /** The response contains a secret, so it is stored encrypted. */
  isSecret: boolean;
};

/** Reserves the request's key for its handler. Undefined if the key is already reserved. */
export async function openIdempotencyHandle(
  context: NodeContext,
  request: KeyedRequest,
  { present, isSecret }: Options,
): Promise<OpenIdempotencyHandle | undefined> {
  const reservation = { nodeId: context.nodeId, runId: null, headers: {}, response: undefined };
  if (!(await insertRecord(context.db, request, reservation))) return undefined;
  let response: StoredResponse | undefined;
  return {
    store: (result) => {
      response = present(result);
      return storeStep(context, request, response, isSecret);
    },
    stored: () => response,
  };
}

/** Stores a response in its own transaction, for handlers that change nothing, such as those that refuse. */
export async function saveResponse(
  context: NodeContext,
  request: KeyedRequest,
  response: StoredResponse,
  isSecret: boolean,
): Promise<void> {
  await context.db.transact([storeStep(context, request, response, isSecret)]);
}

/** Releases the key, so that it counts as new. */
export async function releaseKey(context: NodeContext, request: KeyedRequest): Promise<void> {
  const { recordId, claim } = request;
  await deleteRecord(context.db, { id: recordId, claim, isAnswered: false });
}

/**
 * Writes a handler's changes and, in the same transaction, the response for the caller's Idempotency-Key, so
 * that after a crash both exist or neither. `result` is the handler's return value. Returns false if a
 * `mustChange` step changed nothing, which includes a key that another node has reserved since this node
 * counted as offline. Throws `unauthenticated`, `forbidden` or `insufficient_scope` if the caller lost the permission
 * meanwhile.
 */
export async function commitWrite(
  context: Pick<BaseContext, "db">,
  caller: Pick<Caller, "idempotency" | "recheck">,
  result: unknown,
  steps: readonly TransactionStep[],
): Promise<boolean> {
  await caller.recheck?.();
  const store = caller.idempotency?.store(result);
  return context.db.transact(store === undefined ? steps : [...steps, store]);
}

const maxAttempts = 8;
const firstPauseMs = 10;

/**
 * Reads, plans and commits a write again while concurrent requests change what it depends on, so that it accounts for them. An
 * attempt returns undefined if its transaction was rolled back. Undefined if that is so each time.
 */
export async function retryWrite<T>(attempt: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let count = 0; count < maxAttempts; count += 1) {
    // Requests that conflicted would conflict again if all of them retried at once.
    if (count > 0) await setTimeout(Math.random() * firstPauseMs * 2 ** count);
    const result = await attempt();
    if (result !== undefined) return result;
  }
  return undefined;
}

/** The error when a write that cannot fail otherwise changed nothing: its key belongs to another handler. */
export function lostKey(): ServiceError {
  return new ServiceError("unavailable", "Another node is processing this request. Retry.", {
    retryAfterSeconds: 1,
  });
}

function storeStep(
  context: NodeContext,
  request: KeyedRequest,
  response: StoredResponse,
  isSecret: boolean,
): TransactionStep {
  const { body } = response;
  const isEncrypted = isSecret && body !== null;
  const stored = isEncrypted
    ? { ...response, body: context.responseSeal.close(body, request.recordId) }
    : response;
  return { query: storeResponse(context.db, request, stored, isEncrypted), mustChange: true };
}
