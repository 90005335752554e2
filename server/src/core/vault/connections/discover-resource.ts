import { OutboundError } from "@toolhost/sandbox";
import { ProviderError, toProviderError } from "#core/oauth-client";
import { isJsonObject } from "#lib/json-object";
import type { VaultContext } from "../context.ts";
import { parseBearerChallenge, validScopes } from "./bearer-challenge.ts";
import type { BearerChallenge } from "./bearer-challenge.ts";
import { isWebAddress } from "./web-address.ts";
import type { MetadataReader } from "./read-metadata.ts";

/** Who issues the tokens for a protected resource, such as an MCP server. */
export type ProtectedResource = {
  /** The value of the parameter `resource` (RFC 8707). */
  resource: string;
  /** The issuers that the resource accepts; at least one. */
  issuers: readonly string[];
  /** The scopes that the resource asks for. */
  scopes: readonly string[];
  /** Whether the resource published this. Otherwise the issuer is its own origin, as in MCP of 2025-03-26. */
  isPublished: boolean;
  /** Whether the resource answered a request without a token. */
  isOpen: boolean;
};

const probeMs = 10_000;
const probeBytes = 65_536;
const maxIssuers = 20;
const wellKnown = "/.well-known/oauth-protected-resource";

/** The first request of MCP, to which a server that requires a sign-in responds with 401. */
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "toolhost", version: "1" },
  },
});

/**
 * Finds the issuers of a resource by its metadata (RFC 9728): at the URL that its response with 401 names, or else at
 * the well-known URLs with and without its path. Throws `ProviderError`.
 */
export async function discoverResource(
  context: VaultContext,
  reader: MetadataReader,
  url: string,
): Promise<ProtectedResource> {
  const { status, challenge } = await probe(context, reader, url);
  const asked = challenge?.scopes ?? [];
  for (const candidate of metadataUrls(new URL(url), challenge)) {
    const found = await readResource(reader, candidate, url);
    if (found === undefined) continue;
    const scopes = asked.length > 0 ? asked : found.scopes;
    return { ...found, scopes, isPublished: true, isOpen: isSuccess(status) };
  }
  return {
    resource: url,
    issuers: [new URL(url).origin],
    scopes: asked,
    isPublished: false,
    isOpen: isSuccess(status),
  };
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

type Probe = { status: number | undefined; challenge: BearerChallenge | undefined };

async function probe(
  { outbound }: VaultContext,
  { connectionGroup }: MetadataReader,
  url: string,
): Promise<Probe> {
  try {
    const { status, challenge } = await outbound.deliver(url, {
      connectionGroup,
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: initialize,
      signal: AbortSignal.timeout(probeMs),
      maxBytes: probeBytes,
    });
    return { status, challenge: status === 401 ? parseBearerChallenge(challenge) : undefined };
  } catch (error) {
    // A host that does not respond fails again below, with the reason.
    if (!(error instanceof OutboundError) || error.isDenied) {
      throw toProviderError(error, new URL(url).host);
    }
    return { status: undefined, challenge: undefined };
  }
}

function metadataUrls(
  { origin, pathname, search }: URL,
  challenge: BearerChallenge | undefined,
): string[] {
  const path = (pathname === "/" ? "" : pathname) + search;
  const named = challenge?.resourceMetadata;
  const urls = [`${origin}${wellKnown}${path}`, `${origin}${wellKnown}`];
  return [...new Set(isWebAddress(named) ? [named, ...urls] : urls)];
}

async function readResource(
  { read }: MetadataReader,
  metadataUrl: string,
  url: string,
): Promise<Pick<ProtectedResource, "resource" | "issuers" | "scopes"> | undefined> {
  let document: unknown;
  try {
    const response = await read(metadataUrl);
    if (response.status !== 200) return undefined;
    document = await response.json();
  } catch (error) {
    // Text that is not JSON is no metadata. A host that is down or forbidden is the person's problem to solve.
    if (error instanceof ProviderError) throw error;
    return undefined;
  }
  if (!isJsonObject(document)) return undefined;
  const { resource, authorization_servers: servers, scopes_supported: scopes } = document;
  if (!isWebAddress(resource) || !covers(new URL(resource), new URL(url))) return undefined;
  const issuers = Array.isArray(servers) ? servers.filter(isWebAddress).slice(0, maxIssuers) : [];
  if (issuers.length === 0) return undefined;
  return { resource, issuers, scopes: validScopes(scopes) };
}

/** Whether a URL is the resource of the metadata, or below it. Anything else could be the metadata of a stranger. */
function covers(resource: URL, url: URL): boolean {
  if (resource.origin !== url.origin) return false;
  if (resource.pathname === url.pathname)
    return resource.search === "" || resource.search === url.search;
  const folder = resource.pathname.endsWith("/") ? resource.pathname : `${resource.pathname}/`;
  return resource.search === "" && url.pathname.startsWith(folder);
}
