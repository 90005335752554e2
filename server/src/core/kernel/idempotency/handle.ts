import type { TransactionStep } from "#db";

/** A request's reservation of its Idempotency-Key while its handler runs. */
export type IdempotencyHandle = {
  /** The step that stores the response to a result, in the transaction of the handler's changes. */
  store(result: unknown): TransactionStep;
};
