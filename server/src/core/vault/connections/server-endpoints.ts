import type { CreateConnectionInput } from "@toolhost/contract";
import type { AuthorizationServer } from "oauth4webapi";
import { ServiceError } from "#core/kernel";
import { ProviderError } from "#core/oauth-client";
import type { VaultContext } from "../context.ts";
import type { ConnectionSettings } from "./connection.ts";
import { isWebAddress } from "./web-address.ts";

export type Endpoints = Pick<
  ConnectionSettings,
  "issuer" | "namesIssuer" | "authorizationUrl" | "tokenUrl" | "revocationUrl"
>;

/** The endpoints in the metadata of an issuer. Throws `invalid_request` if it does not support the grant type or PKCE. */
export function endpointsOf(
  metadata: AuthorizationServer,
  { grantType, issuer }: Pick<CreateConnectionInput, "grantType" | "issuer">,
): Endpoints {
  const field = issuer === undefined ? "resource" : "issuer";
  const { token_endpoint: tokenUrl, authorization_endpoint: authorizationUrl } = metadata;
  const { code_challenge_methods_supported: challenges } = metadata;
  const isByPerson = grantType === "authorization_code";
  if (!isWebAddress(tokenUrl) || (isByPerson && !isWebAddress(authorizationUrl))) {
    throw wrong(field, "has no endpoints for this grantType");
  }
  if (isByPerson && Array.isArray(challenges) && !challenges.includes("S256")) {
    throw wrong(field, "does not support PKCE with S256");
  }
  const { revocation_endpoint: revocationUrl } = metadata;
  return {
    issuer: metadata.issuer,
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
    authorizationUrl: isByPerson && isWebAddress(authorizationUrl) ? authorizationUrl : null,
    tokenUrl,
    revocationUrl: isWebAddress(revocationUrl) ? revocationUrl : null,
  };
}

/**
 * Throws `ProviderError` if an issuer does not promise PKCE, which MCP requires: it may then ignore the challenge.
 */
export function requirePkce({
  issuer,
  code_challenge_methods_supported: methods,
}: AuthorizationServer): void {
  if (Array.isArray(methods) && methods.includes("S256")) return;
  const { host } = new URL(issuer);
  const message = `${host} does not promise PKCE with S256, so signing in there is not safe.`;
  throw new ProviderError("refused", message);
}

/** Throws `invalid_request` for an endpoint over plain HTTP that the operator has not allowed. */
export function checkEndpoints(
  { outbound }: Pick<VaultContext, "outbound">,
  { authorizationUrl, tokenUrl, revocationUrl, issuer }: Endpoints,
): void {
  for (const url of [issuer, authorizationUrl, tokenUrl, revocationUrl]) {
    if (url === null || outbound.allowsScheme(url)) continue;
    throw new ServiceError(
      "invalid_request",
      `The provider's URLs must use https. ${new URL(url).host} doesn't, and the operator has not allowed it.`,
    );
  }
}

function wrong(field: "issuer" | "resource", message: string): ServiceError {
  const errors = [{ path: `/oauth2/${field}`, message: `The issuer ${message}.` }];
  return new ServiceError("invalid_request", `The issuer ${message}.`, { errors });
}
