import type { Caller } from "#core/access";
import type { Endpoint } from "./endpoint.ts";
import { openEventStream } from "./event-stream.ts";
import { holdStream } from "./hold-stream.ts";
import type { RequestId } from "./message.ts";
import { metaKeys } from "./revisions.ts";

/**
 * `subscriptions/listen`: a stream that stays open. The tools that are listed never change, so nothing comes on
 * it. Throws `rate_limited` when the workspace has too many streams open.
 */
export function serveSubscription(
  { context }: Endpoint,
  { caller, id }: { caller: Caller; id: RequestId },
): Response {
  const free = holdStream(context.openStreams, caller.workspaceId);
  const stream = openEventStream(free);
  const params = { _meta: { [metaKeys.subscription]: id }, notifications: {} };
  stream.send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params });
  return stream.response;
}
