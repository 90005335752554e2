import type { AuthorizationServer } from "oauth4webapi";
import { plainCode, ProviderError, toProviderError } from "#core/oauth-client";
import { ServiceError } from "#core/kernel";
import { isJsonObject } from "#lib/json-object";
import type { VaultContext } from "../context.ts";
import { clientDocumentUrl, clientMetadata } from "./client-document.ts";
import { callbackUrl } from "./connection-attempt.ts";
import { authMethods, supportedMethods } from "./auth-method.ts";
import type { ConnectionSettings } from "./connection.ts";
import type { MetadataReader } from "./read-metadata.ts";
import { isWebAddress } from "./web-address.ts";

/** Our client at a provider. */
export type RegisteredClient = {
  client: Pick<ConnectionSettings, "clientId" | "authMethod" | "registeredFor" | "clientExpiresAt">;
  clientSecret: string | undefined;
};

/**
 * Makes us known to a provider: by our metadata document, which needs no request, or by dynamic registration (RFC
 * 7591). Throws `invalid_request` if a person has to register us, and `ProviderError`.
 */
export async function registerClient(
  context: VaultContext,
  reader: MetadataReader,
  metadata: AuthorizationServer,
  scopes: readonly string[],
): Promise<RegisteredClient> {
  const documentUrl = clientDocumentUrl(context);
  if (metadata["client_id_metadata_document_supported"] === true && documentUrl !== undefined) {
    const client = {
      clientId: documentUrl,
      authMethod: "none",
      registeredFor: callbackUrl(context),
      clientExpiresAt: null,
    } as const;
    return { client, clientSecret: undefined };
  }
  const { registration_endpoint: url } = metadata;
  const { host } = new URL(metadata.issuer);
  if (!isWebAddress(url)) throw needsClientId(context, `${host} doesn't register clients itself`);
  if (!context.outbound.allowsScheme(url)) {
    throw new ProviderError("forbidden", `${new URL(url).host} must use https.`);
  }
  return parseRegistration(
    context,
    metadata,
    await post(context, reader, url, {
      ...clientMetadata(context),
      token_endpoint_auth_method: supportedMethods(metadata)[0],
      ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    }),
  );
}

async function post(
  context: VaultContext,
  { connectionGroup }: MetadataReader,
  url: string,
  metadata: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { host } = new URL(url);
  const headers = { "content-type": "application/json", accept: "application/json" };
  let response: Response;
  try {
    const body = JSON.stringify(metadata);
    response = await context.outbound.fetch(url, {
      connectionGroup,
      method: "POST",
      headers,
      body,
    });
  } catch (error) {
    throw toProviderError(error, host);
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status >= 500) {
    throw new ProviderError("unreachable", `${host} can't register clients at the moment.`);
  }
  const isRegistered = response.status === 201 || response.status === 200;
  if (isRegistered && isJsonObject(body)) return body;
  const code = isJsonObject(body) && typeof body["error"] === "string" ? body["error"] : "";
  const reason = isRegistered
    ? "an invalid response"
    : plainCode(code || `status_${response.status}`);
  throw needsClientId(context, `${host} refused to register a client (${reason})`);
}

const maxClientId = 500;
const maxSecret = 4_000;

function parseRegistration(
  context: VaultContext,
  metadata: AuthorizationServer,
  answer: Record<string, unknown>,
): RegisteredClient {
  const { host } = new URL(metadata.issuer);
  const { client_id: clientId, client_secret: secret, client_secret_expires_at: seconds } = answer;
  const method = answer["token_endpoint_auth_method"];
  const clientSecret = secret === undefined || secret === null ? undefined : secret;
  const chosen =
    clientSecret === undefined
      ? "none"
      : (authMethods.find((known) => known === method) ?? "client_secret_basic");
  const isUsable =
    isVisible(clientId, maxClientId) &&
    (clientSecret === undefined || isVisible(clientSecret, maxSecret)) &&
    (method === undefined || method === null || authMethods.some((known) => known === method));
  if (!isUsable) {
    throw new ProviderError("refused", `${host} registered a client that the service cannot use.`);
  }
  const isLimited = typeof seconds === "number" && seconds > 0 && clientSecret !== undefined;
  return {
    client: {
      clientId,
      authMethod: chosen,
      registeredFor: callbackUrl(context),
      clientExpiresAt: isLimited ? seconds * 1_000 : null,
    },
    clientSecret: chosen === "none" ? undefined : clientSecret,
  };
}

function isVisible(value: unknown, max: number): value is string {
  return typeof value === "string" && value.length <= max && /^[\x20-\x7e]+$/.test(value);
}

function needsClientId(context: VaultContext, reason: string): ServiceError {
  const advice = `Register a client there with the redirect URI ${callbackUrl(context)}, and enter its client ID.`;
  const message = `${reason}. ${advice}`;
  return new ServiceError("invalid_request", message, {
    errors: [{ path: "/oauth2/clientId", message }],
  });
}
