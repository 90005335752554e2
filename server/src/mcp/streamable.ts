import type { ServerResponse } from "node:http";
import type { Caller } from "#core/kernel";
import { takeRequest } from "#core/limits";
import { serveBatch } from "./batch.ts";
import { addressOfCall, cancellable } from "./calls.ts";
import { checkHeaders, unsupported } from "./check-headers.ts";
import { dispatch } from "./dispatch.ts";
import type { Answered } from "./dispatch.ts";
import type { Endpoint } from "./endpoint.ts";
import { eventStreamHeaders, eventStreamType, openEventStream } from "./event-stream.ts";
import type { EventStream } from "./event-stream.ts";
import { errorOf, idOf, objectAt, readMessage } from "./message.ts";
import type { Message, RpcRequest } from "./message.ts";
import { clientOf, hear, json } from "./posted.ts";
import type { Posted } from "./posted.ts";
import { readBody } from "./read-body.ts";
import { toRpc } from "./refusal.ts";
import { isLegacy, legacyRevisions, metaKeys } from "./revisions.ts";
import { RpcError } from "./rpc-error.ts";
import { serveSubscription, subscribeMethod } from "./subscription.ts";
import type { Era, Peer } from "./surface.ts";

/** Streamable HTTP: each POST holds a message and is answered by itself. Throws as `dispatch` does. */
export async function servePost(endpoint: Endpoint, posted: Posted): Promise<Response> {
  const { request, caller, noteLimits } = posted;
  noteLimits(await takeRequest(endpoint.context, caller));
  let body: unknown;
  try {
    body = await readBody(endpoint.context, request, caller);
    if (Array.isArray(body)) return await serveBatch(endpoint, posted, body);
    const message = readMessage(body);
    const era = eraOf(message, request.headers);
    if (message.kind === "request") return await serveRequest(endpoint, posted, { message, era });
    hear(endpoint, posted, message);
    return new Response(null, { status: 202 });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return json(errorOf(idOf(body), error), error.httpStatus ?? 400);
  }
}

/** Throws `RpcError` for a revision that nobody here speaks. */
function eraOf(message: Message, headers: Headers): Era {
  const header = headers.get("mcp-protocol-version");
  const meta = message.kind === "response" ? {} : objectAt(message.params, "_meta");
  if (meta[metaKeys.revision] !== undefined) return "modern";
  if (header === null || isLegacy(header)) return "legacy";
  // What is newer than all we know may be a modern one that forgot to say so in its body.
  if (header > legacyRevisions[0]) return "modern";
  throw unsupported(header);
}

type Asked = { message: RpcRequest; era: Era };

async function serveRequest(endpoint: Endpoint, posted: Posted, asked: Asked): Promise<Response> {
  const { message, era } = asked;
  const { request, outgoing, caller } = posted;
  if (era === "modern") {
    checkHeaders(endpoint.surface, message, request.headers);
    if (message.method === subscribeMethod) {
      return serveSubscription(endpoint, { caller, message });
    }
  }
  const accept = request.headers.get("accept") ?? "";
  const { promise: opened, resolve: open } = Promise.withResolvers<EventStream>();
  const peer = createPeer(endpoint, accept.includes(eventStreamType), open);
  const call =
    era === "modern"
      ? untilClosed(outgoing)
      : cancellable(endpoint.context, addressOfCall(clientOf(posted), message.id));
  const { context } = endpoint;
  const { noteLimits } = posted;
  const exchange = { context, caller, era, signal: call.signal, peer, noteLimits };
  const answering = dispatch(endpoint.surface, message, exchange).finally(() => call.forget());
  const first = await Promise.race([answering, opened]);
  if ("answer" in first) return toResponse(first, accept);
  void finish(endpoint, first, { message, answering, caller });
  return first.response;
}

/** Opens a stream with the first thing that is to be said before the answer. */
function createPeer(
  { clientRequests }: Endpoint,
  takesStreams: boolean,
  onOpen: (stream: EventStream) => void,
): Peer {
  let stream: EventStream | undefined;
  const opened = () => {
    if (stream === undefined) {
      stream = openEventStream(() => undefined);
      onOpen(stream);
    }
    return stream;
  };
  return {
    notify: (method, params) => {
      if (takesStreams) opened().offer({ jsonrpc: "2.0", method, params });
    },
    ask: (method, params) =>
      clientRequests.ask((message) => opened().send(message), method, params),
  };
}

type Answering = { message: RpcRequest; answering: Promise<Answered>; caller: Caller };

async function finish(
  { context }: Endpoint,
  stream: EventStream,
  { message, answering, caller }: Answering,
): Promise<void> {
  try {
    stream.send((await answering).answer);
  } catch (error) {
    const { requestId } = caller;
    context.log.debug({ err: error, requestId }, "a call failed after its answer had begun");
    stream.send(errorOf(message.id, toRpc(error, requestId)));
  } finally {
    stream.close();
  }
}

function toResponse({ answer, httpStatus }: Answered, accept: string): Response {
  const takesOnlyStreams = accept.includes(eventStreamType) && !/json|\*\/\*/.test(accept);
  if (!takesOnlyStreams || httpStatus !== 200) return json(answer, httpStatus);
  const event = `event: message\ndata: ${JSON.stringify(answer)}\n\n`;
  return new Response(event, { headers: eventStreamHeaders });
}

/** Ended by a client that goes away, which is how modern ones cancel. Legacy ones say so in a message. */
function untilClosed(outgoing: ServerResponse): { signal: AbortSignal; forget: () => void } {
  const leaving = new AbortController();
  const onClose = () => {
    if (!outgoing.writableFinished) leaving.abort();
  };
  outgoing.once("close", onClose);
  return { signal: leaving.signal, forget: () => outgoing.off("close", onClose) };
}
