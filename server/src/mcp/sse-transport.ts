import { credentialOf, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { reserveStream, chargeRequest } from "#core/limits";
import type { LimitState } from "#core/limits";
import { fetchMessages, relayMessage } from "#core/runs";
import { randomToken } from "#lib/ids";
import { cancelCall, cancellationChannel, listenForCancellation } from "./cancellation.ts";
import { dispatch } from "./dispatch.ts";
import type { Endpoint } from "./endpoint.ts";
import { openEventStream } from "./event-stream.ts";
import type { EventStream } from "./event-stream.ts";
import { errorOf, idOf, readMessage } from "./message.ts";
import type { RpcRequest } from "./message.ts";
import { readBody } from "./read-body.ts";
import { toRpcError } from "./error-response.ts";
import { oldestRevision } from "./revisions.ts";
import type { Peer } from "./surface.ts";

/**
 * HTTP+SSE of 2024-11-05: a GET opens a stream, whose first event names a URL; responses to messages that are posted there
 * are sent on the stream. A stream lives on one node; other nodes relay messages to it through the database.
 */
export type SseTransport = {
  open(opening: OpenRequest): Response;
  /** Accepts a message for a stream. Throws `not_found` if no node has the stream. */
  receive(post: PostedMessage, streamId: string): Promise<Response>;
};

type OpenRequest = {
  caller: Caller;
  /** The path for messages, without the stream ID. */
  path: string;
  /** Authenticates the caller again, because a stream may outlive the key that opened it. */
  authenticate: () => Promise<Caller>;
};

type PostedMessage = { request: Request; caller: Caller; noteLimits: (state: LimitState) => void };

type OpenStream = Pick<OpenRequest, "authenticate"> & {
  id: string;
  credential: string;
  events: EventStream;
};

/** How often to poll for relayed messages, in case a notification was lost. */
const pollIntervalMs = 1_000;
const authenticationIntervalMs = 15_000;

export function createSseTransport(endpoint: Endpoint): SseTransport {
  const { context } = endpoint;
  const streams = new Map<string, OpenStream>();
  const open = ({ caller, path, authenticate }: OpenRequest): Response => {
    const release = reserveStream(context, caller);
    const id = `${context.nodeId}.${randomToken(16)}`;
    const stopListening = context.runs.relay.listen(
      id,
      () => void receiveRelayed(endpoint, stream),
    );
    const timers = [setInterval(() => void closeIfRevoked(stream), authenticationIntervalMs)];
    if (context.db.dialect !== "sqlite") {
      timers.push(setInterval(() => void receiveRelayed(endpoint, stream), pollIntervalMs));
    }
    const events = openEventStream(() => {
      streams.delete(id);
      stopListening();
      release();
      for (const timer of timers) clearInterval(timer);
    });
    for (const timer of timers) timer.unref();
    const stream = { id, credential: credentialOf(caller), authenticate, events };
    streams.set(id, stream);
    events.sendEvent("endpoint", `${path}?sessionId=${id}`);
    return events.response;
  };
  const receive = async ({ request, caller, noteLimits }: PostedMessage, streamId: string) => {
    noteLimits(await chargeRequest(context, caller));
    const body = await readBody(context, request, caller);
    await caller.recheck?.();
    const stream = streams.get(streamId);
    const credential = credentialOf(caller);
    if (stream !== undefined) {
      if (stream.credential !== credential) throw streamNotFound();
      void handleOnStream(endpoint, stream, { caller, body, noteLimits });
    } else {
      const nodeId = streamId.split(".")[0] ?? "";
      const relayed = JSON.stringify({ credential, body });
      if (!(await relayMessage(context, { nodeId, address: streamId, body: relayed }))) {
        throw streamNotFound();
      }
    }
    return new Response("Accepted", { status: 202 });
  };
  return { open, receive };
}

function streamNotFound(): ServiceError {
  return new ServiceError("not_found", "Stream not found. Connect again.");
}

/** Handles the messages that other nodes relayed to a stream. */
async function receiveRelayed(endpoint: Endpoint, stream: OpenStream): Promise<void> {
  const { context } = endpoint;
  try {
    for (const relayed of await fetchMessages(context, stream.id)) {
      const { credential, body } = JSON.parse(relayed) as { credential: string; body: unknown };
      if (credential !== stream.credential) continue;
      const caller = await stream.authenticate();
      void handleOnStream(endpoint, stream, { caller, body, noteLimits: () => undefined });
    }
  } catch (error) {
    context.log.debug({ err: error }, "could not fetch relayed messages for a stream");
  }
}

/** Closes a stream whose credential was revoked. */
async function closeIfRevoked({ authenticate, events }: OpenStream): Promise<void> {
  try {
    await authenticate();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unauthenticated") events.close();
  }
}

type Received = { caller: Caller; body: unknown; noteLimits: (state: LimitState) => void };

async function handleOnStream(
  endpoint: Endpoint,
  stream: OpenStream,
  { caller, body, noteLimits }: Received,
): Promise<void> {
  const { context, clientRequests } = endpoint;
  try {
    const message = readMessage(body);
    if (message.kind === "request") {
      await handleRequest(endpoint, stream, {
        caller,
        message: withOldestRevision(message),
        noteLimits,
      });
    } else if (message.kind === "response") clientRequests.resolve(message.id, message.result);
    else if (message.method === "notifications/cancelled") {
      cancelCall(context, stream.id, message.params["requestId"]);
    }
  } catch (error) {
    const { requestId } = caller;
    context.log.debug({ err: error, requestId }, "message on a stream failed");
    stream.events.send(errorOf(idOf(body), toRpcError(error, requestId)));
  }
}

type ReceivedRequest = Pick<Received, "caller" | "noteLimits"> & { message: RpcRequest };

async function handleRequest(
  { context, surface, clientRequests }: Endpoint,
  { id, events }: OpenStream,
  { caller, message, noteLimits }: ReceivedRequest,
): Promise<void> {
  const peer: Peer = {
    notify: (method, params) => events.offer({ jsonrpc: "2.0", method, params }),
    request: (method, params) =>
      clientRequests.request((request) => events.send(request), method, params),
  };
  const cancellation = listenForCancellation(context, cancellationChannel(id, message.id));
  try {
    const { signal } = cancellation;
    const exchange = {
      context,
      caller,
      era: "legacy" as const,
      revision: oldestRevision,
      // Clients of later revisions use this transport too.
      results: "both" as const,
      client: undefined,
      signal,
      peer,
      noteLimits,
    };
    events.send((await dispatch(surface, message, exchange)).message);
  } finally {
    cancellation.dispose();
  }
}

/** This transport belongs to one revision, whichever revision the client requests. */
function withOldestRevision(message: RpcRequest): RpcRequest {
  if (message.method !== "initialize") return message;
  return { ...message, params: { ...message.params, protocolVersion: oldestRevision } };
}
