import { credentialOf, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { holdStream, takeRequest } from "#core/limits";
import type { LimitState } from "#core/limits";
import { fetchMessages, relayMessage } from "#core/runs";
import { randomToken } from "#lib/ids";
import { addressOfCall, cancelCall, cancellable } from "./calls.ts";
import { dispatch } from "./dispatch.ts";
import type { Endpoint } from "./endpoint.ts";
import { openEventStream } from "./event-stream.ts";
import type { EventStream } from "./event-stream.ts";
import { errorOf, idOf, readMessage } from "./message.ts";
import type { RpcRequest } from "./message.ts";
import { readBody } from "./read-body.ts";
import { toRpc } from "./refusal.ts";
import { oldestRevision } from "./revisions.ts";
import type { Peer } from "./surface.ts";

/**
 * HTTP+SSE of 2024-11-05: a GET opens a stream and learns an address, each POST to it is answered on the
 * stream. The stream is on one node; what reaches another is left there for it.
 */
export type OldTransport = {
  open(opening: Opening): Response;
  /** Takes a message for a stream. Throws `not_found` when the stream is nowhere. */
  receive(posted: Posted, streamId: string): Promise<Response>;
};

type Opening = {
  caller: Caller;
  /** Where the messages go, without the stream's id. */
  path: string;
  /** Names the caller anew: a stream may outlive the key that opened it. */
  authenticate: () => Promise<Caller>;
};

type Posted = { request: Request; caller: Caller; noteLimits: (state: LimitState) => void };

type OpenStream = Pick<Opening, "authenticate"> & {
  id: string;
  credential: string;
  events: EventStream;
};

/** How often to look for messages when no signal tells. */
const lookIntervalMs = 1_000;
const checkIntervalMs = 15_000;

export function createOldTransport(endpoint: Endpoint): OldTransport {
  const { context } = endpoint;
  const streams = new Map<string, OpenStream>();
  const open = ({ caller, path, authenticate }: Opening): Response => {
    const free = holdStream(context, caller);
    const id = `${context.nodeId}.${randomToken(16)}`;
    const forget = context.runs.relay.listen(id, () => void fetchLeft(endpoint, stream));
    const timers = [setInterval(() => void check(stream), checkIntervalMs)];
    if (context.db.dialect !== "sqlite") {
      timers.push(setInterval(() => void fetchLeft(endpoint, stream), lookIntervalMs));
    }
    const events = openEventStream(() => {
      streams.delete(id);
      forget();
      free();
      for (const timer of timers) clearInterval(timer);
    });
    for (const timer of timers) timer.unref();
    const stream = { id, credential: credentialOf(caller), authenticate, events };
    streams.set(id, stream);
    events.sendEvent("endpoint", `${path}?sessionId=${id}`);
    return events.response;
  };
  const receive = async ({ request, caller, noteLimits }: Posted, streamId: string) => {
    noteLimits(await takeRequest(context, caller));
    const body = await readBody(context, request, caller);
    const stream = streams.get(streamId);
    const credential = credentialOf(caller);
    if (stream !== undefined) {
      if (stream.credential !== credential) throw noStream();
      void answerOn(endpoint, stream, { caller, body, noteLimits });
    } else {
      const nodeId = streamId.split(".")[0] ?? "";
      const left = JSON.stringify({ credential, body });
      if (!(await relayMessage(context, { nodeId, address: streamId, body: left }))) {
        throw noStream();
      }
    }
    return new Response("Accepted", { status: 202 });
  };
  return { open, receive };
}

function noStream(): ServiceError {
  return new ServiceError("not_found", "There is no stream of this id. Connect again.");
}

/** Answers what was left for a stream on another node. */
async function fetchLeft(endpoint: Endpoint, stream: OpenStream): Promise<void> {
  const { context } = endpoint;
  try {
    for (const left of await fetchMessages(context, stream.id)) {
      const { credential, body } = JSON.parse(left) as { credential: string; body: unknown };
      if (credential !== stream.credential) continue;
      const caller = await stream.authenticate();
      void answerOn(endpoint, stream, { caller, body, noteLimits: () => undefined });
    }
  } catch (error) {
    context.log.debug({ err: error }, "messages for a stream could not be fetched");
  }
}

/** Ends a stream whose key was revoked meanwhile. */
async function check({ authenticate, events }: OpenStream): Promise<void> {
  try {
    await authenticate();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unauthenticated") events.close();
  }
}

type Received = { caller: Caller; body: unknown; noteLimits: (state: LimitState) => void };

async function answerOn(
  endpoint: Endpoint,
  stream: OpenStream,
  { caller, body, noteLimits }: Received,
): Promise<void> {
  const { context, clientRequests } = endpoint;
  try {
    const message = readMessage(body);
    if (message.kind === "request") {
      await answerRequest(endpoint, stream, { caller, message: pinned(message), noteLimits });
    } else if (message.kind === "response") clientRequests.settle(message.id, message.result);
    else if (message.method === "notifications/cancelled") {
      cancelCall(context, stream.id, message.params["requestId"]);
    }
  } catch (error) {
    const { requestId } = caller;
    context.log.debug({ err: error, requestId }, "a message on a stream was refused");
    stream.events.send(errorOf(idOf(body), toRpc(error, requestId)));
  }
}

type Asked = Pick<Received, "caller" | "noteLimits"> & { message: RpcRequest };

async function answerRequest(
  { context, surface, clientRequests }: Endpoint,
  { id, events }: OpenStream,
  { caller, message, noteLimits }: Asked,
): Promise<void> {
  const peer: Peer = {
    notify: (method, params) => events.offer({ jsonrpc: "2.0", method, params }),
    ask: (method, params) => clientRequests.ask((asked) => events.send(asked), method, params),
  };
  const call = cancellable(context, addressOfCall(id, message.id));
  try {
    const { signal } = call;
    const exchange = { context, caller, era: "legacy" as const, signal, peer, noteLimits };
    events.send((await dispatch(surface, message, exchange)).answer);
  } finally {
    call.forget();
  }
}

/** Whatever a client asks for, this transport is of one revision; newer ones would open other streams. */
function pinned(message: RpcRequest): RpcRequest {
  if (message.method !== "initialize") return message;
  return { ...message, params: { ...message.params, protocolVersion: oldestRevision } };
}
