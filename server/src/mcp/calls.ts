import type { Context } from "#core/context";
import { notifyNode } from "#core/runs";
import { sha256 } from "#lib/hash";
import type { RequestId } from "./message.ts";

/**
 * Where a call can be reached to cancel it. Clients number their requests from 0, so the id alone names none:
 * `client` tells clients apart as well as it can be done without sessions, and a stream does it exactly.
 */
export function addressOfCall(client: string, id: RequestId): string {
  return `call ${sha256(JSON.stringify([client, id]))}`;
}

/** A signal that ends when the call is cancelled, by whatever node; `forget` when the call is over. */
export function cancellable(
  { runs: { relay } }: Context,
  address: string,
): { signal: AbortSignal; forget: () => void } {
  const cancelling = new AbortController();
  const forget = relay.listen(address, () => cancelling.abort());
  return { signal: cancelling.signal, forget };
}

/** Cancels the call that a client means, if it still goes on. */
export function cancelCall(context: Context, client: string, id: unknown): void {
  if (typeof id !== "string" && typeof id !== "number") return;
  notifyNode(context, addressOfCall(client, id));
}
