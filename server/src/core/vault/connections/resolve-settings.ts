import type { CreateConnectionInput } from "@toolhost/contract";
import { discoveryRequest, processDiscoveryResponse } from "oauth4webapi";
import * as oauth from "oauth4webapi";
import type { AuthorizationServer } from "oauth4webapi";
import { toProviderError } from "#core/oauth-client";
import type { VaultContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import type { ConnectionSettings } from "./connection.ts";

type Endpoints = Pick<
  ConnectionSettings,
  "issuer" | "namesIssuer" | "authorizationUrl" | "tokenUrl" | "revocationUrl"
>;

/**
 * The settings of a connection, with the endpoints from the metadata of its issuer. Throws `connection_failed`
 * when those cannot be read, and `invalid_request` for what the provider does not support.
 */
export async function resolveSettings(
  context: VaultContext,
  workspaceId: string,
  draft: CreateConnectionInput,
): Promise<ConnectionSettings> {
  const metadata =
    draft.issuer === undefined ? undefined : await discover(context, workspaceId, draft.issuer);
  const endpoints = metadata === undefined ? named(draft) : published(draft, metadata);
  for (const url of Object.values(endpoints)) {
    if (typeof url === "string") checkScheme(context, url);
  }
  return {
    ...endpoints,
    grantType: draft.grantType,
    clientId: draft.clientId,
    authMethod: chooseMethod(draft, metadata),
    scopes: [...new Set(draft.scopes)],
    grantedScopes: null,
    audience: draft.audience ?? null,
    resource: draft.resource ?? null,
    authorizationParameters: draft.authorizationParameters,
  };
}

function named(draft: CreateConnectionInput): Endpoints {
  const { authorizationUrl = null, tokenUrl = "", revocationUrl = null } = draft;
  return { issuer: null, namesIssuer: false, authorizationUrl, tokenUrl, revocationUrl };
}

function published(draft: CreateConnectionInput, metadata: AuthorizationServer): Endpoints {
  const { token_endpoint: tokenUrl, authorization_endpoint: authorizationUrl } = metadata;
  const { code_challenge_methods_supported: challenges } = metadata;
  const isByPerson = draft.grantType === "authorization_code";
  if (!isAddress(tokenUrl) || (isByPerson && !isAddress(authorizationUrl))) {
    throw wrong("/oauth2/issuer", "has no endpoints for this grantType");
  }
  if (isByPerson && Array.isArray(challenges) && !challenges.includes("S256")) {
    throw wrong("/oauth2/issuer", "does not support PKCE with S256");
  }
  const { revocation_endpoint: revocationUrl } = metadata;
  return {
    issuer: metadata.issuer,
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
    authorizationUrl: isByPerson && isAddress(authorizationUrl) ? authorizationUrl : null,
    tokenUrl,
    revocationUrl: draft.revocationUrl ?? (isAddress(revocationUrl) ? revocationUrl : null),
  };
}

/** Reads the metadata of RFC 8414, or else of OpenID Connect Discovery. */
async function discover(
  { outbound }: VaultContext,
  workspaceId: string,
  issuer: string,
): Promise<AuthorizationServer> {
  const connectionGroup = `connections of ${workspaceId}`;
  const ask = async (algorithm: "oauth2" | "oidc") => {
    const response = await discoveryRequest(new URL(issuer), {
      algorithm,
      [oauth.customFetch]: (url, { method, headers }) =>
        outbound.fetch(url, { connectionGroup, method, headers }),
      [oauth.allowInsecureRequests]: true,
    });
    return processDiscoveryResponse(new URL(issuer), response);
  };
  const { host } = new URL(issuer);
  try {
    return await ask("oauth2");
  } catch (error) {
    const first = toProviderError(error, host);
    if (first.failure === "forbidden") throw unusable(first.message);
  }
  try {
    return await ask("oidc");
  } catch (error) {
    const { message } = toProviderError(error, host);
    const isResponse = message.includes("invalid OAuth 2.0 response");
    throw unusable(isResponse ? `${host} publishes no valid metadata for this issuer.` : message);
  }
}

function chooseMethod(
  { tokenEndpointAuthMethod: method, clientSecret }: CreateConnectionInput,
  metadata: AuthorizationServer | undefined,
): ConnectionSettings["authMethod"] {
  if (method !== undefined) return method;
  if (clientSecret === undefined) return "none";
  const supported = metadata?.token_endpoint_auth_methods_supported;
  const takesPost = Array.isArray(supported) && supported.includes("client_secret_post");
  const takesBasic = !Array.isArray(supported) || supported.includes("client_secret_basic");
  return takesPost && !takesBasic ? "client_secret_post" : "client_secret_basic";
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && value.length <= 2_000 && URL.canParse(value);
}

function checkScheme({ outbound }: VaultContext, url: string): void {
  if (outbound.allowsScheme(url)) return;
  const { host } = new URL(url);
  throw new ServiceError(
    "invalid_request",
    `The provider's URLs must use https. ${host} doesn't, and the operator has not allowed it.`,
  );
}

/** The issuer comes from the caller, so that a failure to read its metadata is a problem of the request. */
function unusable(message: string): ServiceError {
  const errors = [{ path: "/oauth2/issuer", message }];
  return new ServiceError("connection_failed", message, { errors });
}

function wrong(path: string, message: string): ServiceError {
  const errors = [{ path, message }];
  return new ServiceError("invalid_request", `The issuer ${message}.`, { errors });
}
