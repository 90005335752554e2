import type { CreateConnectionInput } from "@toolhost/contract";
import type { AuthorizationServer } from "oauth4webapi";
import { ProviderError } from "#core/oauth-client";
import { ServiceError } from "#core/kernel";
import type { VaultContext } from "../context.ts";
import { chooseMethod } from "./auth-method.ts";
import { validScopes } from "./bearer-challenge.ts";
import type { ConnectionSettings } from "./connection.ts";
import { discoverResource } from "./discover-resource.ts";
import type { ProtectedResource } from "./discover-resource.ts";
import { createMetadataReader, readServerMetadata } from "./read-metadata.ts";
import type { MetadataReader } from "./read-metadata.ts";
import { registerClient } from "./register-client.ts";
import type { RegisteredClient } from "./register-client.ts";
import { checkEndpoints, endpointsOf, requirePkce } from "./server-endpoints.ts";
import type { Endpoints } from "./server-endpoints.ts";

/** What a provider publishes, and the resource whose metadata named it. */
type Published = {
  reader: MetadataReader;
  metadata: AuthorizationServer;
  found: ProtectedResource | undefined;
};

export type ResolvedSettings = { settings: ConnectionSettings; clientSecret: string | undefined };

/**
 * The settings of a connection, with the endpoints from the metadata of its issuer, and the client that a person
 * entered or that is registered here. Without an issuer, the metadata of the resource names it. Throws
 * `connection_failed` when metadata cannot be read, and `invalid_request` for what the provider does not support.
 */
export async function resolveSettings(
  context: VaultContext,
  workspaceId: string,
  draft: CreateConnectionInput,
): Promise<ResolvedSettings> {
  const published = await readPublished(context, workspaceId, draft);
  const endpoints = published === undefined ? named(draft) : endpointsOf(published.metadata, draft);
  if (draft.revocationUrl !== undefined) endpoints.revocationUrl = draft.revocationUrl;
  checkEndpoints(context, endpoints);
  const found = published?.found;
  const scopes = scopesOf(draft, published);
  const { client, clientSecret } = await clientOf(context, draft, published, scopes);
  return {
    settings: {
      ...endpoints,
      ...client,
      grantType: draft.grantType,
      scopes,
      grantedScopes: null,
      audience: draft.audience ?? null,
      resource: found?.resource ?? draft.resource ?? null,
      serverUrl: found === undefined ? null : (draft.resource ?? null),
      authorizationParameters: {
        // OpenID Connect grants offline access only with this prompt.
        ...(found !== undefined && scopes.includes(offline) ? { prompt: "consent" } : {}),
        ...draft.authorizationParameters,
      },
    },
    clientSecret,
  };
}

function named(draft: CreateConnectionInput): Endpoints {
  const { authorizationUrl = null, tokenUrl = "", revocationUrl = null } = draft;
  return { issuer: null, namesIssuer: false, authorizationUrl, tokenUrl, revocationUrl };
}

async function readPublished(
  context: VaultContext,
  workspaceId: string,
  { issuer, resource, tokenUrl, grantType }: CreateConnectionInput,
): Promise<Published | undefined> {
  const reader = createMetadataReader(context, workspaceId);
  if (issuer !== undefined) {
    const metadata = await orUnusable("issuer", () => readServerMetadata(reader, issuer));
    return { reader, metadata, found: undefined };
  }
  if (resource === undefined || tokenUrl !== undefined) return undefined;
  const found = await orUnusable("resource", () => discoverResource(context, reader, resource));
  const [first = ""] = found.issuers;
  const metadata = await orUnusable("resource", () =>
    readServerMetadata(reader, first).catch((error: unknown) => {
      throw found.isPublished ? error : unpublished(resource, found, error);
    }),
  );
  if (grantType === "authorization_code") {
    await orUnusable("resource", async () => requirePkce(metadata));
  }
  return { reader, metadata, found };
}

/** The problem of a resource that publishes no metadata, if its own origin is no issuer either. */
function unpublished(resource: string, { isOpen }: ProtectedResource, error: unknown): unknown {
  if (error instanceof ProviderError && error.failure !== "refused") return error;
  const { host } = new URL(resource);
  const message = isOpen
    ? `${host} accepts requests without a sign-in, so it needs no connection.`
    : `${host} doesn't publish how to sign in. Enter its provider's issuer or URLs, or add an API key instead.`;
  return new ProviderError("refused", message);
}

/** Where a provider offers it, this scope requests a refresh token. */
const offline = "offline_access";

function scopesOf({ scopes }: CreateConnectionInput, published: Published | undefined): string[] {
  const { found, metadata } = published ?? {};
  if (scopes.length > 0 || found === undefined) return [...new Set(scopes)];
  const isOffered = validScopes(metadata?.scopes_supported).includes(offline);
  return [...new Set([...found.scopes, ...(isOffered ? [offline] : [])])];
}

async function clientOf(
  context: VaultContext,
  draft: CreateConnectionInput,
  published: Published | undefined,
  scopes: readonly string[],
): Promise<RegisteredClient> {
  const { clientId, clientSecret, tokenEndpointAuthMethod: method } = draft;
  if (clientId !== undefined) {
    const authMethod = method ?? chooseMethod(clientSecret, published?.metadata);
    const client = { clientId, authMethod, registeredFor: null, clientExpiresAt: null };
    return { client, clientSecret };
  }
  if (published === undefined) throw new ServiceError("invalid_request", "Enter a client ID.");
  const { reader, metadata } = published;
  const field = draft.issuer === undefined ? "resource" : "issuer";
  return orUnusable(field, () => registerClient(context, reader, metadata, scopes));
}

/** The URL comes from the caller, so that a failure to read its metadata is a problem of the request. */
async function orUnusable<T>(field: "issuer" | "resource", work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProviderError ? unusable(field, error.message) : error;
  }
}

function unusable(field: "issuer" | "resource", message: string): ServiceError {
  const errors = [{ path: `/oauth2/${field}`, message }];
  return new ServiceError("connection_failed", message, { errors });
}
