import type { JsonObject } from "@toolhost/contract";
import { chargeRequest } from "#core/limits";
import { cancellationChannel, listenForCancellation } from "./cancellation.ts";
import { dispatch } from "./dispatch.ts";
import type { Endpoint } from "./endpoint.ts";
import { errorOf, idOf, readMessage } from "./message.ts";
import type { RpcRequest } from "./message.ts";
import { clientIdOf, handleMessage, jsonResponse } from "./post-request.ts";
import type { PostRequest } from "./post-request.ts";
import { toRpcError } from "./error-response.ts";
import { batchRevision } from "./revisions.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import type { Peer } from "./surface.ts";

const maxMessages = 20;

/** The responses of a batch are sent together, so nothing can be sent to the client before them. */
const batchPeer: Peer = {
  notify: () => undefined,
  request: () =>
    Promise.reject(
      new RpcError(rpcCodes.internal, "Requests to the client are not supported in a batch"),
    ),
};

/** Serves several messages in one body, a feature of 2025-03-26 only. Each request counts against the limits. */
export async function serveBatch(
  endpoint: Endpoint,
  post: PostRequest,
  body: readonly unknown[],
): Promise<Response> {
  const revision = post.request.headers.get("mcp-protocol-version");
  if (revision !== null && revision !== batchRevision) {
    throw new RpcError(
      rpcCodes.invalidRequest,
      `Batches are supported only in revision ${batchRevision}`,
    );
  }
  if (body.length === 0 || body.length > maxMessages) {
    throw new RpcError(rpcCodes.invalidRequest, `A batch must have 1 to ${maxMessages} messages`);
  }
  const responses = await Promise.all(
    body.map((value, index) => serveMessage(endpoint, post, value, index)),
  );
  const sent = responses.filter((response) => response !== undefined);
  return sent.length === 0 ? new Response(null, { status: 202 }) : jsonResponse(sent, 200);
}

async function serveMessage(
  endpoint: Endpoint,
  post: PostRequest,
  value: unknown,
  index: number,
): Promise<JsonObject | undefined> {
  const { context } = endpoint;
  const { caller, noteLimits } = post;
  try {
    const message = readMessage(value);
    if (message.kind !== "request") {
      await handleMessage(endpoint, post, message);
      return undefined;
    }
    if (message.method === "initialize") {
      throw new RpcError(rpcCodes.invalidRequest, "initialize cannot be part of a batch");
    }
    // The POST itself counted as the first request.
    if (index > 0) noteLimits(await chargeRequest(context, caller));
    return await serveRequest(endpoint, post, message);
  } catch (error) {
    const { requestId } = caller;
    if (!(error instanceof RpcError)) {
      context.log.debug({ err: error, requestId }, "request in a batch failed");
    }
    return errorOf(idOf(value), toRpcError(error, requestId));
  }
}

async function serveRequest(
  { context, surface }: Endpoint,
  post: PostRequest,
  message: RpcRequest,
): Promise<JsonObject> {
  const { caller, noteLimits } = post;
  const cancellation = listenForCancellation(
    context,
    cancellationChannel(clientIdOf(post), message.id),
  );
  try {
    const { signal } = cancellation;
    const exchange = {
      context,
      caller,
      era: "legacy" as const,
      revision: batchRevision,
      results: "text" as const,
      client: undefined,
      signal,
      peer: batchPeer,
      noteLimits,
    };
    return (await dispatch(surface, message, exchange)).message;
  } finally {
    cancellation.dispose();
  }
}
