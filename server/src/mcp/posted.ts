import type { ServerResponse } from "node:http";
import type { JsonObject } from "@toolhost/contract";
import { credentialOf } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { LimitState } from "#core/limits";
import { cancelCall } from "./calls.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Message } from "./message.ts";

/** A POST that came in, and who sent it. */
export type Posted = {
  request: Request;
  outgoing: ServerResponse;
  caller: Caller;
  noteLimits: (state: LimitState) => void;
};

/** What a client says without wanting an answer. */
export function hear(
  { context, clientRequests }: Endpoint,
  posted: Posted,
  message: Message,
): void {
  if (message.kind === "response") clientRequests.settle(message.id, message.result);
  else if (message.method === "notifications/cancelled") {
    cancelCall(context, clientOf(posted), message.params["requestId"]);
  }
}

/** As well as a client without a session can be told from others. */
export function clientOf({ caller, request }: Pick<Posted, "caller" | "request">): string {
  return JSON.stringify([credentialOf(caller), request.headers.get("user-agent")]);
}

/** An answer as JSON. */
export function json(answer: JsonObject | readonly JsonObject[], status: number): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new Response(JSON.stringify(answer), { status, headers });
}
