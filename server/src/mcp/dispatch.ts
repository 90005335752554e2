import { errorCodes } from "@toolhost/contract";
import type { JsonObject } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import { errorOf, objectAt, resultOf } from "./message.ts";
import type { RpcRequest } from "./message.ts";
import { metaKeys, serverInfo } from "./revisions.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import type { McpRequest, Surface } from "./surface.ts";

/** All of a request but what it says itself. */
export type Exchange = Omit<McpRequest, "params" | "capabilities" | "logLevel">;

/** An answer, and the status that a modern client is to see with it. */
export type Answered = { answer: JsonObject; httpStatus: 200 | 400 | 404 };

/**
 * Answers one request, whatever transport it came by. Throws `ServiceError` for what the transport itself has
 * to say, such as a missing right, and what is a fault of ours.
 */
export async function dispatch(
  surface: Surface,
  { id, method, params }: RpcRequest,
  exchange: Exchange,
): Promise<Answered> {
  const { era } = exchange;
  try {
    const handle = surface.methods[era].get(method);
    if (handle === undefined) {
      throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method.slice(0, 100)}`);
    }
    const meta = objectAt(params, "_meta");
    const level = meta[metaKeys.logLevel];
    const result = await handle({
      ...exchange,
      params,
      capabilities: objectAt(meta, metaKeys.capabilities),
      logLevel: typeof level === "string" ? level : undefined,
    });
    return { answer: resultOf(id, era === "modern" ? signed(result) : result), httpStatus: 200 };
  } catch (error) {
    const refusal = toRpcError(error);
    if (refusal === undefined) throw error;
    const { httpStatus = 200 } = refusal;
    return { answer: errorOf(id, refusal), httpStatus: era === "modern" ? httpStatus : 200 };
  }
}

/** A modern result says of what kind it is and who gave it. */
function signed(result: JsonObject): JsonObject {
  const meta = { ...objectAt(result, "_meta"), [metaKeys.serverInfo]: serverInfo };
  return { resultType: "complete", ...result, _meta: meta };
}

/** Refusals of arguments are the answer's; the others are the transport's. */
function toRpcError(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (!(error instanceof ServiceError)) return undefined;
  const { status } = errorCodes[error.code];
  if (status !== 400 && status !== 404) return undefined;
  return new RpcError(rpcCodes.invalidParams, error.message, { data: { code: error.code } });
}
