import type { Caller } from "#core/kernel";
import { reserveStream } from "#core/limits";
import type { Endpoint } from "./endpoint.ts";
import { openEventStream } from "./event-stream.ts";
import { objectAt } from "./message.ts";
import type { RpcRequest } from "./message.ts";
import { metaKeys } from "./revisions.ts";
import { requireTasks } from "./tasks.ts";

/** The only method whose response is a stream that stays open. */
export const subscribeMethod = "subscriptions/listen";

/**
 * Opens a stream that only acknowledges the subscription: the list of tools never changes, and clients poll tasks. Throws
 * `RpcError`, and `rate_limited` if the workspace has too many open streams.
 */
export function serveSubscription(
  { context }: Endpoint,
  { caller, message }: { caller: Caller; message: RpcRequest },
): Response {
  const { id, params } = message;
  if (objectAt(params, "notifications")["taskIds"] !== undefined) {
    requireTasks(objectAt(objectAt(params, "_meta"), metaKeys.capabilities));
  }
  const release = reserveStream(context, caller);
  const stream = openEventStream(release);
  const acknowledged = { _meta: { [metaKeys.subscription]: id }, notifications: {} };
  const method = "notifications/subscriptions/acknowledged";
  stream.send({ jsonrpc: "2.0", method, params: acknowledged });
  return stream.response;
}
