import { isIP } from "node:net";
import type { VaultContext } from "../context.ts";
import { callbackUrl } from "./connection-attempt.ts";

/** Where providers find who we are. The URL is our client ID, so it must not change. */
export const clientDocumentPath = "/oauth2/client.json";

/** Names that only resolve in a private network (RFC 6761, RFC 6762, RFC 8375, and common practice). */
const privateName =
  /(?:^|\.)(?:localhost|local|internal|lan|home|corp|intranet|home\.arpa|test|invalid)$/;

/**
 * Our client ID at providers that read client metadata documents (draft-ietf-oauth-client-id-metadata-document).
 * Undefined if they cannot read ours, because the service has no public address.
 */
export function clientDocumentUrl({ config }: Pick<VaultContext, "config">): string | undefined {
  const { protocol, hostname } = new URL(config.baseUrl);
  const isPublic =
    protocol === "https:" &&
    hostname.includes(".") &&
    isIP(hostname) === 0 &&
    !privateName.test(hostname);
  return isPublic ? config.baseUrl + clientDocumentPath : undefined;
}

/** Our metadata as a client (RFC 7591), for the document and for dynamic registration. */
export function clientMetadata(context: Pick<VaultContext, "config">) {
  const { baseUrl } = context.config;
  const { protocol, host } = new URL(baseUrl);
  return {
    client_name: `Toolhost (${host})`,
    client_uri: baseUrl,
    redirect_uris: [callbackUrl(context)],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    // OpenID Connect forbids plain HTTP for web applications.
    application_type: protocol === "https:" ? "web" : "native",
  };
}

/** The document at `clientDocumentPath`. */
export function clientDocument(context: Pick<VaultContext, "config">) {
  return {
    client_id: context.config.baseUrl + clientDocumentPath,
    ...clientMetadata(context),
    token_endpoint_auth_method: "none",
  };
}
