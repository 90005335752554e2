import type { ServerResponse } from "node:http";
import type { Caller } from "#core/kernel";
import { chargeRequest } from "#core/limits";
import { BufferedResponse } from "#lib/buffered-response";
import { serveBatch } from "./batch.ts";
import { cancellationChannel, listenForCancellation } from "./cancellation.ts";
import type { Cancellation } from "./cancellation.ts";
import { checkHeaders, unsupportedRevision } from "./check-headers.ts";
import { dispatch } from "./dispatch.ts";
import type { Dispatched } from "./dispatch.ts";
import type { Endpoint } from "./endpoint.ts";
import { eventStreamHeaders, eventStreamType, openEventStream } from "./event-stream.ts";
import type { EventStream } from "./event-stream.ts";
import { errorOf, idOf, objectAt, readMessage } from "./message.ts";
import type { Message, RpcRequest } from "./message.ts";
import { clientIdOf, handleMessage, jsonResponse } from "./post-request.ts";
import type { PostRequest } from "./post-request.ts";
import type { KnownClient } from "./known-clients.ts";
import { readBody } from "./read-body.ts";
import { toRpcError } from "./error-response.ts";
import { isLegacy, legacyRevisions, metaKeys } from "./revisions.ts";
import { resultFormOf } from "./result-form.ts";
import { RpcError } from "./rpc-error.ts";
import { serveSubscription, subscribeMethod } from "./subscription.ts";
import type { Era, Peer } from "./surface.ts";

/** Streamable HTTP: each POST contains a message, and its response the result. Throws like `dispatch`. */
export async function servePost(endpoint: Endpoint, post: PostRequest): Promise<Response> {
  const { request, caller, noteLimits, early } = post;
  noteLimits(await chargeRequest(endpoint.context, caller));
  let body: unknown;
  try {
    body = await (early?.body ?? readBody(endpoint.context, request, caller));
    // A body may take minutes to arrive.
    await caller.recheck?.();
    await early?.provideTo(caller);
    if (Array.isArray(body)) return await serveBatch(endpoint, post, body);
    const message = readMessage(body);
    const era = eraOf(message, request.headers);
    if (message.kind === "request") return await serveRequest(endpoint, post, { message, era });
    await handleMessage(endpoint, post, message);
    return new Response(null, { status: 202 });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return jsonResponse(errorOf(idOf(body), error), error.httpStatus ?? 400);
  }
}

/** Throws `RpcError` for an unsupported revision. */
function eraOf(message: Message, headers: Headers): Era {
  const header = headers.get("mcp-protocol-version");
  const meta = message.kind === "response" ? {} : objectAt(message.params, "_meta");
  if (meta[metaKeys.revision] !== undefined) return "modern";
  if (header === null || isLegacy(header)) return "legacy";
  // A later revision is modern; `checkHeaders` then reports that its body lacks `_meta`.
  if (header > legacyRevisions[0]) return "modern";
  throw unsupportedRevision(header);
}

type IncomingRequest = { message: RpcRequest; era: Era };

async function serveRequest(
  endpoint: Endpoint,
  post: PostRequest,
  incoming: IncomingRequest,
): Promise<Response> {
  const { message, era } = incoming;
  const { request, outgoing, caller } = post;
  if (era === "modern") {
    checkHeaders(endpoint.surface, message, request.headers);
    if (message.method === subscribeMethod) {
      return serveSubscription(endpoint, { caller, message });
    }
  }
  const accept = request.headers.get("accept") ?? "";
  const { promise: opened, resolve: open } = Promise.withResolvers<EventStream>();
  const peer = createPeer(endpoint, accept.includes(eventStreamType), open);
  const cancellation: Cancellation =
    era === "modern"
      ? abortOnClose(outgoing)
      : listenForCancellation(endpoint.context, cancellationChannel(clientIdOf(post), message.id));
  const { context } = endpoint;
  const { noteLimits } = post;
  const revision = request.headers.get("mcp-protocol-version") ?? undefined;
  const client = era === "legacy" ? findClient(endpoint, post, message) : undefined;
  const { signal } = cancellation;
  const results = resultFormOf(request.url, revision);
  const exchange = { context, caller, era, revision, results, client, signal, peer, noteLimits };
  const dispatching = dispatch(endpoint.surface, message, exchange).finally(() =>
    cancellation.dispose(),
  );
  const first = await Promise.race([dispatching, opened]);
  if ("message" in first) return toResponse(first, accept);
  void finish(endpoint, first, { message, dispatching, caller });
  return first.response;
}

/** A client initializes again whenever it starts, perhaps with other capabilities. */
function findClient(
  { knownClients }: Endpoint,
  post: PostRequest,
  { method, params }: RpcRequest,
): KnownClient | undefined {
  const clientId = clientIdOf(post);
  if (method === "initialize") knownClients.note(clientId, objectAt(params, "capabilities"));
  return knownClients.find(clientId);
}

/** Opens a stream when the first message is sent before the response. */
function createPeer(
  { clientRequests }: Endpoint,
  acceptsStreams: boolean,
  onOpen: (stream: EventStream) => void,
): Peer {
  let stream: EventStream | undefined;
  const openOnce = () => {
    if (stream === undefined) {
      stream = openEventStream(() => undefined);
      onOpen(stream);
    }
    return stream;
  };
  return {
    notify: (method, params) => {
      if (acceptsStreams) openOnce().offer({ jsonrpc: "2.0", method, params });
    },
    send: acceptsStreams ? (message) => openOnce().send(message) : undefined,
    request: (method, params) =>
      clientRequests.request((message) => openOnce().send(message), method, params),
  };
}

type Pending = { message: RpcRequest; dispatching: Promise<Dispatched>; caller: Caller };

async function finish(
  { context }: Endpoint,
  stream: EventStream,
  { message, dispatching, caller }: Pending,
): Promise<void> {
  try {
    stream.send((await dispatching).message);
  } catch (error) {
    const { requestId } = caller;
    context.log.debug({ err: error, requestId }, "call failed after its response had started");
    stream.send(errorOf(message.id, toRpcError(error, requestId)));
  } finally {
    stream.close();
  }
}

function toResponse({ message, httpStatus }: Dispatched, accept: string): Response {
  const acceptsOnlyStreams = accept.includes(eventStreamType) && !/json|\*\/\*/.test(accept);
  if (!acceptsOnlyStreams || httpStatus !== 200) return jsonResponse(message, httpStatus);
  const event = `event: message\ndata: ${JSON.stringify(message)}\n\n`;
  return new BufferedResponse(event, { headers: eventStreamHeaders });
}

/** Aborted when the client closes the connection, which cancels a modern request. Legacy clients send a notification. */
function abortOnClose(outgoing: ServerResponse): Cancellation {
  const controller = new AbortController();
  const onClose = () => {
    if (!outgoing.writableFinished) controller.abort();
  };
  outgoing.once("close", onClose);
  return { signal: controller.signal, dispose: () => outgoing.off("close", onClose) };
}
