import type { StoredResponse } from "#core/kernel";
import { BufferedResponse } from "#lib/buffered-response";
import { isLargeJson, toJsonText } from "#lib/json-text";
import type { HandlerResult, Route } from "./route.ts";

/** Headers of every JSON response, as stored for replays. */
export function jsonHeaders(requestId: string): Record<string, string> {
  return {
    "cache-control": "no-store",
    "content-type": "application/json",
    "x-request-id": requestId,
  };
}

/** The response for what a handler returned, in the form that is sent and stored. */
export function toStored(
  route: Route,
  answer: HandlerResult<unknown>,
  requestId: string,
): StoredResponse {
  const status = answer.status ?? route.statusOf?.(answer.body) ?? route.status;
  if (status === 204) {
    return { status, headers: { ...answer.headers, "x-request-id": requestId }, body: null };
  }
  const headers = { ...jsonHeaders(requestId), ...answer.headers };
  if (answer.contentType === undefined) {
    return { status, headers, body: toJsonText(answer.body) };
  }
  return {
    status,
    headers: { ...headers, "content-type": answer.contentType },
    body: String(answer.body),
  };
}

/** Builds the response to send. */
export function toResponse({ status, headers, body }: StoredResponse): Response {
  // To convert a large text here takes half as long as in the socket.
  const bytes = body !== null && isLargeJson(body) ? Buffer.from(body) : body;
  return new BufferedResponse(bytes, { status, headers });
}

/** A replay of a stored response, marked with `Idempotent-Replay`. */
export function toReplay({ status, headers, body }: StoredResponse): StoredResponse {
  return { status, headers: { ...headers, "idempotent-replay": "true" }, body };
}

/** What a handler returned with a stream as its body. */
export type Streamed<Body = unknown> = HandlerResult<Body> & {
  stream: ReadableStream<Uint8Array> | null;
};

/** Builds a streamed response. `X-Accel-Buffering` stops proxies from buffering it. */
export function toStream({ stream, status = 200, contentType = "", headers }: Streamed): Response {
  const defaults = { "cache-control": "no-store", "content-type": contentType };
  return new Response(stream, {
    status,
    headers: { ...defaults, "x-accel-buffering": "no", ...headers },
  });
}
