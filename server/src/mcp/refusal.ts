import { errorCodes } from "@toolhost/contract";
import type { JsonObject } from "@toolhost/contract";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { allClientScopes, mcpPaths, resourceMetadataPath } from "#core/identity";
import { endpointOf } from "./guard.ts";
import { errorOf } from "./message.ts";
import type { RequestId } from "./message.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";

/** What a refusal is of, as far as it is known. */
export type Refused = { request: Request; path: string; requestId: string; id?: RequestId | null };

/** A refusal by the transport: a status, the headers that help a client on, and a JSON-RPC error. */
export function toRefusal(context: Context, error: ServiceError, refused: Refused): Response {
  const { status } = errorCodes[error.code];
  const headers = new Headers({ ...error.headers, "content-type": "application/json" });
  const challenge = challengeOf(context, error, refused);
  if (challenge !== undefined) headers.set("www-authenticate", challenge);
  if (error.retryAfterSeconds !== undefined) {
    headers.set("retry-after", String(error.retryAfterSeconds));
  }
  const answer = errorOf(refused.id ?? null, toRpc(error, refused.requestId));
  return new Response(JSON.stringify(answer), { status, headers });
}

/** The same within an answer that has begun, or of which it is only a part. */
export function toRpc(error: unknown, requestId: string): RpcError {
  if (error instanceof RpcError) return error;
  if (!(error instanceof ServiceError)) {
    const message = `Something went wrong. Report it with the id ${requestId}.`;
    return new RpcError(rpcCodes.internal, message, { data: { code: "internal", requestId } });
  }
  const { code, message, retryAfterSeconds } = error;
  const isOurs = errorCodes[code].status >= 500;
  const data: JsonObject = { code, requestId };
  if (retryAfterSeconds !== undefined) data["retryAfterSeconds"] = retryAfterSeconds;
  return new RpcError(isOurs ? rpcCodes.internal : rpcCodes.invalidRequest, message, { data });
}

/** Where to sign in and what to ask for (RFC 9728, section 5.1; RFC 6750, section 3). */
function challengeOf(
  { config }: Context,
  { code, extra }: ServiceError,
  { request, path }: Refused,
): string | undefined {
  if (code !== "unauthenticated" && code !== "insufficient_scope") return undefined;
  const scope = code === "insufficient_scope" ? extra?.["requiredScope"] : undefined;
  const wanted = typeof scope === "string" ? scope : allClientScopes.join(" ");
  const isShown = request.headers.has("authorization");
  const error = code === "insufficient_scope" ? code : isShown ? "invalid_token" : undefined;
  const known = mcpPaths.find((one) => one === path) ?? "";
  const metadata = config.mcpUrl + resourceMetadataPath(known);
  const parts = [
    // Only API keys are of use at the base address.
    ...(endpointOf(config, request.headers) === "base" ? [] : [["resource_metadata", metadata]]),
    ["scope", wanted],
    ...(error === undefined ? [] : [["error", error]]),
  ];
  return `Bearer ${parts.map(([name, value]) => `${name}="${value}"`).join(", ")}`;
}
