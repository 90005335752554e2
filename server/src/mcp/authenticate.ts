import { authenticateKey, authenticateToken, isKey } from "#core/identity";
import type { Caller, RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { bearerToken } from "#rest";
import { endpointOf } from "./check-source.ts";

/**
 * The caller of the request's token: an API key at the base URL, an access token at the MCP URL, and either one if both
 * URLs have the same host. The token is looked up for every request. Throws `unauthenticated`, and `invalid_request` for a
 * token in the URL, which logs would record.
 */
export async function authenticate(
  context: Context,
  { headers, url }: Pick<Request, "headers" | "url">,
  origin: RequestOrigin,
): Promise<Caller> {
  if (/[?&](?:access_token|token|api_key|apikey|key)=/i.test(url)) {
    throw new ServiceError(
      "invalid_request",
      "Tokens are not accepted in the URL. Send the header `Authorization: Bearer <TOKEN>`.",
    );
  }
  const token = bearerToken(headers);
  if (token === undefined) {
    throw new ServiceError(
      "unauthenticated",
      "Sign in, or send an API key in the header `Authorization: Bearer <API_KEY>`.",
    );
  }
  const endpoint = endpointOf(context.config, headers);
  const isApiKey = isKey(token);
  const { baseUrl, mcpUrl } = context.config;
  if (isApiKey && endpoint === "mcp") {
    throw new ServiceError(
      "unauthenticated",
      `API keys are for ${baseUrl}/api/mcp. Sign in to use this endpoint.`,
    );
  }
  if (!isApiKey && endpoint === "base") {
    throw new ServiceError(
      "unauthenticated",
      `This endpoint requires an API key. To sign in, connect to ${mcpUrl}/api/mcp.`,
    );
  }
  const caller = isApiKey
    ? await authenticateKey(context, token, origin)
    : await authenticateToken(context, token, origin, "mcp");
  context.accessLog.noteCaller(caller);
  return { ...caller, via: "mcp" };
}
