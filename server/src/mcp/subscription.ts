import type { Caller } from "#core/kernel";
import { holdStream } from "#core/limits";
import type { Endpoint } from "./endpoint.ts";
import { openEventStream } from "./event-stream.ts";
import { objectAt } from "./message.ts";
import type { RpcRequest } from "./message.ts";
import { metaKeys } from "./revisions.ts";
import { requireTasks } from "./tasks.ts";

/** The one method that is answered by a stream which stays open. */
export const subscribeMethod = "subscriptions/listen";

/**
 * A stream that stays open. The tools that are listed never change and tasks are polled, so nothing comes on it.
 * Throws `RpcError`, and `rate_limited` when the workspace has too many streams open.
 */
export function serveSubscription(
  { context }: Endpoint,
  { caller, message }: { caller: Caller; message: RpcRequest },
): Response {
  const { id, params } = message;
  if (objectAt(params, "notifications")["taskIds"] !== undefined) {
    requireTasks(objectAt(objectAt(params, "_meta"), metaKeys.capabilities));
  }
  const free = holdStream(context, caller);
  const stream = openEventStream(free);
  const agreed = { _meta: { [metaKeys.subscription]: id }, notifications: {} };
  const method = "notifications/subscriptions/acknowledged";
  stream.send({ jsonrpc: "2.0", method, params: agreed });
  return stream.response;
}
