import { errorCodes } from "@toolhost/contract";
import type { JsonObject } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import { errorOf, objectAt, resultOf } from "./message.ts";
import type { RpcRequest } from "./message.ts";
import { metaKeys, serverInfo } from "./revisions.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import type { McpRequest, Surface } from "./surface.ts";

/** The context of a request, without its own content. */
export type Exchange = Omit<McpRequest, "params" | "capabilities" | "logLevel">;

/** A response, and its HTTP status for a modern client. */
export type Dispatched = { message: JsonObject; httpStatus: 200 | 400 | 404 };

/**
 * Handles one request, independent of the transport. Throws `ServiceError` for errors that the transport reports, such as a
 * missing scope, and rethrows unexpected errors.
 */
export async function dispatch(
  surface: Surface,
  { id, method, params }: RpcRequest,
  exchange: Exchange,
): Promise<Dispatched> {
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
    return {
      message: resultOf(id, era === "modern" ? withServerInfo(result) : result),
      httpStatus: 200,
    };
  } catch (error) {
    const rpcError = toRequestError(error);
    if (rpcError === undefined) throw error;
    const { httpStatus = 200 } = rpcError;
    return { message: errorOf(id, rpcError), httpStatus: era === "modern" ? httpStatus : 200 };
  }
}

/** Modern results carry their type and the server's name and version. */
function withServerInfo(result: JsonObject): JsonObject {
  const meta = { ...objectAt(result, "_meta"), [metaKeys.serverInfo]: serverInfo };
  return { resultType: "complete", ...result, _meta: meta };
}

/** Errors about the request itself become JSON-RPC errors; undefined for those that the transport reports. */
function toRequestError(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (!(error instanceof ServiceError)) return undefined;
  const { status } = errorCodes[error.code];
  if (status !== 400 && status !== 404) return undefined;
  return new RpcError(rpcCodes.invalidParams, error.message, { data: { code: error.code } });
}
