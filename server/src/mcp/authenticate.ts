import { authenticateKey, authenticateToken, isKey } from "#core/identity";
import type { Caller, RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { endpointOf } from "./guard.ts";

/**
 * The caller whom the request's token names: an API key at the base address, an access token at the address for
 * MCP, and either where the two are one. Looked up each time. Throws `unauthenticated`, and `invalid_request` for
 * a token in the address, where logs would keep it.
 */
export async function authenticate(
  context: Context,
  { headers, url }: Pick<Request, "headers" | "url">,
  origin: RequestOrigin,
): Promise<Caller> {
  if (/[?&](?:access_token|token|api_key|apikey|key)=/i.test(url)) {
    throw new ServiceError(
      "invalid_request",
      "A token does not belong into the address. Send it as: Authorization: Bearer <TOKEN>.",
    );
  }
  const authorization = headers.get("authorization");
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  if (token === undefined) {
    throw new ServiceError(
      "unauthenticated",
      "Sign in, or send an API key as: Authorization: Bearer <API_KEY>.",
    );
  }
  const endpoint = endpointOf(context.config, headers);
  const isApiKey = isKey(token);
  const { baseUrl, mcpUrl } = context.config;
  if (isApiKey && endpoint === "mcp") {
    throw new ServiceError(
      "unauthenticated",
      `API keys are for ${baseUrl}/api/mcp. Here, sign in.`,
    );
  }
  if (!isApiKey && endpoint === "base") {
    throw new ServiceError(
      "unauthenticated",
      `This address takes API keys. To sign in, connect to ${mcpUrl}/api/mcp.`,
    );
  }
  const caller = isApiKey
    ? await authenticateKey(context, token, origin)
    : await authenticateToken(context, token, origin);
  return { ...caller, via: "mcp" };
}
