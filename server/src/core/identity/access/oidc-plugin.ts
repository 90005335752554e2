import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { Config } from "#config";
import { oidcId } from "./providers.ts";

/** Single sign-on with OpenID Connect if an issuer is configured. Only verified ID tokens are accepted. */
export function oidcPlugin(config: Config) {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = config;
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined) return [];
  const provider = {
    providerId: oidcId,
    name: OIDC_NAME,
    discoveryUrl: `${OIDC_ISSUER}/.well-known/openid-configuration`,
    requireIdTokenVerification: true,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    scopes: ["openid", "email", "profile"],
    pkce: true,
  };
  return [genericOAuth({ config: [provider] })];
}
