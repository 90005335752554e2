import type { Context } from "#core/context";
import { notifyNode } from "#core/runs";
import { sha256 } from "#lib/hash";
import type { RequestId } from "./message.ts";

/** The abort signal of a call; `dispose` when the call has finished. */
export type Cancellation = { signal: AbortSignal; dispose: () => void };

/**
 * The relay channel on which a call is cancelled. Clients number their requests from 0, so the ID alone is ambiguous:
 * `client` is the stream's ID, or without a stream the best available approximation of a session.
 */
export function cancellationChannel(client: string, id: RequestId): string {
  return `call ${sha256(JSON.stringify([client, id]))}`;
}

/** A signal that is aborted when the call is cancelled, on whichever node the cancellation arrives. */
export function listenForCancellation({ runs: { relay } }: Context, channel: string): Cancellation {
  const controller = new AbortController();
  const dispose = relay.listen(channel, () => controller.abort());
  return { signal: controller.signal, dispose };
}

/** Cancels a client's call if it is still running. */
export function cancelCall(context: Context, client: string, id: unknown): void {
  if (typeof id !== "string" && typeof id !== "number") return;
  notifyNode(context, cancellationChannel(client, id));
}
