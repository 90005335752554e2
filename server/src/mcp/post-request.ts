import type { ServerResponse } from "node:http";
import type { JsonObject } from "@toolhost/contract";
import { credentialOf } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { LimitState } from "#core/limits";
import { BufferedResponse } from "#lib/buffered-response";
import { receiveAnswer } from "./ask-client.ts";
import { cancelCall } from "./cancellation.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EarlyBody } from "./look-ahead.ts";
import type { Message } from "./message.ts";

/** A POST request and its caller. */
export type PostRequest = {
  request: Request;
  outgoing: ServerResponse;
  caller: Caller;
  noteLimits: (state: LimitState) => void;
  /** Its body, if that is read already. */
  early?: EarlyBody | undefined;
};

/** Handles a notification or a response, which get no response. */
export async function handleMessage(
  { context, clientRequests }: Endpoint,
  post: PostRequest,
  message: Message,
): Promise<void> {
  if (message.kind === "response") {
    if (await receiveAnswer(context, post.caller, message)) return;
    clientRequests.resolve(message.id, message.result);
  } else if (message.method === "notifications/cancelled") {
    cancelCall(context, clientIdOf(post), message.params["requestId"]);
  }
}

/** Distinguishes clients without sessions, as far as their credentials and user agents differ. */
export function clientIdOf({ caller, request }: Pick<PostRequest, "caller" | "request">): string {
  return JSON.stringify([credentialOf(caller), request.headers.get("user-agent")]);
}

/** A response with a JSON body. */
export function jsonResponse(body: JsonObject | readonly JsonObject[], status: number): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new BufferedResponse(JSON.stringify(body), { status, headers });
}
