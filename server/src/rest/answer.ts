import type { KeptAnswer } from "#core/kernel";
import type { Answer, Route } from "./route.ts";

/** Headers of every JSON answer, as they are kept for a replay. */
export function jsonHeaders(requestId: string): Record<string, string> {
  return {
    "cache-control": "no-store",
    "content-type": "application/json",
    "x-request-id": requestId,
  };
}

/** What a handler answered, in the form in which it is sent and kept. */
export function toKept(route: Route, answer: Answer<unknown>, requestId: string): KeptAnswer {
  const status = answer.status ?? route.statusOf?.(answer.body) ?? route.status;
  if (status === 204) {
    return { status, headers: { ...answer.headers, "x-request-id": requestId }, body: null };
  }
  const headers = { ...jsonHeaders(requestId), ...answer.headers };
  if (answer.contentType === undefined) {
    return { status, headers, body: JSON.stringify(answer.body) };
  }
  return {
    status,
    headers: { ...headers, "content-type": answer.contentType },
    body: String(answer.body),
  };
}

/** An answer as a response. */
export function toResponse({ status, headers, body }: KeptAnswer): Response {
  return new Response(body, { status, headers });
}

/** An answer that was given before, marked as such. */
export function toReplay(answer: KeptAnswer): Response {
  const response = toResponse(answer);
  response.headers.set("idempotent-replay", "true");
  return response;
}

type Streamed = Answer<unknown> & { stream: ReadableStream<Uint8Array> | null };

/** An answer that is sent bit by bit, past proxies that would rather collect it. */
export function toStream({ stream, status = 200, contentType = "", headers }: Streamed): Response {
  const usual = { "cache-control": "no-store", "content-type": contentType };
  return new Response(stream, {
    status,
    headers: { ...usual, "x-accel-buffering": "no", ...headers },
  });
}
