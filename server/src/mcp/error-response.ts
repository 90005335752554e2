import { errorCodes } from "@toolhost/contract";
import type { JsonObject } from "@toolhost/contract";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { mcpPaths, mcpScopes, resourceMetadataPath } from "#core/identity";
import { endpointOf } from "./check-source.ts";
import { errorOf } from "./message.ts";
import type { RequestId } from "./message.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";

/** The request that failed. */
export type FailedRequest = {
  request: Request;
  path: string;
  requestId: string;
  id?: RequestId | null;
};

/** The response of the transport: status, headers such as `WWW-Authenticate` and `Retry-After`, and a JSON-RPC error. */
export function toErrorResponse(
  context: Context,
  error: ServiceError,
  failed: FailedRequest,
): Response {
  const { status } = errorCodes[error.code];
  const headers = new Headers({ ...error.headers, "content-type": "application/json" });
  const challenge = challengeOf(context, error, failed);
  if (challenge !== undefined) headers.set("www-authenticate", challenge);
  if (error.retryAfterSeconds !== undefined) {
    headers.set("retry-after", String(error.retryAfterSeconds));
  }
  const body = errorOf(failed.id ?? null, toRpcError(error, failed.requestId));
  return new Response(JSON.stringify(body), { status, headers });
}

/** The JSON-RPC error alone, for a response that has started or is part of a batch. */
export function toRpcError(error: unknown, requestId: string): RpcError {
  if (error instanceof RpcError) return error;
  if (!(error instanceof ServiceError)) {
    const message = `Internal server error. Report it with the request ID ${requestId}.`;
    return new RpcError(rpcCodes.internal, message, { data: { code: "internal", requestId } });
  }
  const { code, message, retryAfterSeconds } = error;
  const isServerError = errorCodes[code].status >= 500;
  const data: JsonObject = { code, requestId };
  if (retryAfterSeconds !== undefined) data["retryAfterSeconds"] = retryAfterSeconds;
  return new RpcError(isServerError ? rpcCodes.internal : rpcCodes.invalidRequest, message, {
    data,
  });
}

/** Where to sign in, and the scopes to request (RFC 9728, section 5.1; RFC 6750, section 3). */
function challengeOf(
  { config }: Context,
  { code, extra }: ServiceError,
  { request, path }: FailedRequest,
): string | undefined {
  if (code !== "unauthenticated" && code !== "insufficient_scope") return undefined;
  const scope = code === "insufficient_scope" ? extra?.["requiredScope"] : undefined;
  const requestedScope = typeof scope === "string" ? scope : mcpScopes.join(" ");
  const hasToken = request.headers.has("authorization");
  const error = code === "insufficient_scope" ? code : hasToken ? "invalid_token" : undefined;
  const knownPath = mcpPaths.find((known) => known === path) ?? "";
  const metadata = config.mcpUrl + resourceMetadataPath(knownPath);
  const parts = [
    // The base URL accepts only API keys.
    ...(endpointOf(config, request.headers) === "base" ? [] : [["resource_metadata", metadata]]),
    ["scope", requestedScope],
    ...(error === undefined ? [] : [["error", error]]),
  ];
  return `Bearer ${parts.map(([name, value]) => `${name}="${value}"`).join(", ")}`;
}
