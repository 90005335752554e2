import type { JsonObject } from "@toolhost/contract";
import { takeRequest } from "#core/limits";
import { addressOfCall, cancellable } from "./calls.ts";
import { dispatch } from "./dispatch.ts";
import type { Endpoint } from "./endpoint.ts";
import { errorOf, idOf, readMessage } from "./message.ts";
import type { RpcRequest } from "./message.ts";
import { clientOf, hear, json } from "./posted.ts";
import type { Posted } from "./posted.ts";
import { toRpc } from "./refusal.ts";
import { batchRevision } from "./revisions.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import type { Peer } from "./surface.ts";

const maxMessages = 20;

/** Nothing can be said before the answers, which come all at once. */
const silent: Peer = {
  notify: () => undefined,
  ask: () => Promise.reject(new RpcError(rpcCodes.internal, "A batch cannot be asked anything")),
};

/** Several messages in one body, which only 2025-03-26 knows. Each request counts against the limits. */
export async function serveBatch(
  endpoint: Endpoint,
  posted: Posted,
  body: readonly unknown[],
): Promise<Response> {
  const revision = posted.request.headers.get("mcp-protocol-version");
  if (revision !== null && revision !== batchRevision) {
    throw new RpcError(rpcCodes.invalidRequest, `Batches ended with ${batchRevision}`);
  }
  if (body.length === 0 || body.length > maxMessages) {
    throw new RpcError(rpcCodes.invalidRequest, `A batch has 1 to ${maxMessages} messages`);
  }
  const answers = await Promise.all(
    body.map((one, index) => serveOne(endpoint, posted, one, index)),
  );
  const given = answers.filter((answer) => answer !== undefined);
  return given.length === 0 ? new Response(null, { status: 202 }) : json(given, 200);
}

async function serveOne(
  endpoint: Endpoint,
  posted: Posted,
  one: unknown,
  index: number,
): Promise<JsonObject | undefined> {
  const { context } = endpoint;
  const { caller, noteLimits } = posted;
  try {
    const message = readMessage(one);
    if (message.kind !== "request") {
      hear(endpoint, posted, message);
      return undefined;
    }
    if (message.method === "initialize") {
      throw new RpcError(rpcCodes.invalidRequest, "initialize comes by itself");
    }
    // The first is counted with the body.
    if (index > 0) noteLimits(await takeRequest(context, caller));
    return await answerOne(endpoint, posted, message);
  } catch (error) {
    const { requestId } = caller;
    if (!(error instanceof RpcError)) {
      context.log.debug({ err: error, requestId }, "a call of a batch failed");
    }
    return errorOf(idOf(one), toRpc(error, requestId));
  }
}

async function answerOne(
  { context, surface }: Endpoint,
  posted: Posted,
  message: RpcRequest,
): Promise<JsonObject> {
  const { caller, noteLimits } = posted;
  const call = cancellable(context, addressOfCall(clientOf(posted), message.id));
  try {
    const { signal } = call;
    const exchange = { context, caller, era: "legacy" as const, signal, peer: silent, noteLimits };
    return (await dispatch(surface, message, exchange)).answer;
  } finally {
    call.forget();
  }
}
