import { errorCodes } from "@toolhost/contract";
import type { JsonObject } from "@toolhost/contract";
import { brokerTools } from "#core/agents";
import { ServiceError } from "#core/kernel";
import { isJsonObject } from "#lib/json-object";
import { failure, mcpError, mcpRequest } from "#telemetry";
import type { Span } from "#telemetry";
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
  request: RpcRequest,
  exchange: Exchange,
): Promise<Dispatched> {
  const { tracing } = exchange.context;
  if (!tracing.isOn || !surface.methods[exchange.era].has(request.method)) {
    return handleRequest(surface, request, exchange);
  }
  const span = startSpan(request, exchange);
  try {
    const dispatched = await tracing.within(span, () => handleRequest(surface, request, exchange));
    noteFailure(span, dispatched.message);
    return dispatched;
  } catch (error) {
    span.update(failure, error);
    throw error;
  } finally {
    span.end();
  }
}

async function handleRequest(
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

const agentTools = new Set<unknown>(brokerTools.map(({ name }) => name));

/** Starts the span of a request of a known method, whose client may have sent its trace context in `_meta`. */
function startSpan({ method, params }: RpcRequest, { context, caller }: Exchange): Span {
  const { traceparent, tracestate } = objectAt(params, "_meta");
  const { name } = params;
  const tool = typeof name === "string" && agentTools.has(name) ? name : undefined;
  const received = { traceparent, tracestate, ip: caller.ip };
  return context.tracing.receive(mcpRequest, { method, tool }, received);
}

function noteFailure(span: Span, { error, result }: JsonObject): void {
  if (isJsonObject(error)) span.update(mcpError, { code: Number(error["code"]) });
  else if (isJsonObject(result) && result["isError"] === true) span.update(mcpError, "tool_error");
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
