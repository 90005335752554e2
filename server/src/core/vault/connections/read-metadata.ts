import { processDiscoveryResponse } from "oauth4webapi";
import type { AuthorizationServer } from "oauth4webapi";
import { ProviderError, toProviderError } from "#core/oauth-client";
import type { VaultContext } from "../context.ts";

/** Reads documents of other servers for one workspace, all of them within the time that discovery may take. */
export type MetadataReader = {
  /** Throws `ProviderError`. */
  read: (url: string) => Promise<Response>;
  /** When discovery has to be finished, in Unix milliseconds. */
  until: number;
  connectionGroup: string;
};

const maxDiscoveryMs = 20_000;

export function createMetadataReader(
  { outbound, clock }: Pick<VaultContext, "outbound" | "clock">,
  workspaceId: string,
): MetadataReader {
  const until = clock.now() + maxDiscoveryMs;
  const connectionGroup = `connections of ${workspaceId}`;
  const read = async (url: string) => {
    const { host } = new URL(url);
    if (clock.now() > until) {
      throw new ProviderError("unreachable", `${host} and its provider responded too slowly.`);
    }
    try {
      const headers = { accept: "application/json" };
      return await outbound.fetch(url, { connectionGroup, method: "GET", headers });
    } catch (error) {
      throw toProviderError(error, host);
    }
  };
  return { read, until, connectionGroup };
}

/**
 * Reads the metadata of an issuer (RFC 8414, or else OpenID Connect Discovery), which must name the same issuer. Throws
 * `ProviderError`.
 */
export async function readServerMetadata(
  { read }: MetadataReader,
  issuer: string,
): Promise<AuthorizationServer> {
  const expected = new URL(issuer);
  let last = new ProviderError("unreachable", "");
  for (const url of metadataUrls(expected)) {
    try {
      return await processDiscoveryResponse(expected, await read(url));
    } catch (error) {
      last = toProviderError(error, expected.host);
      if (last.failure === "forbidden") throw last;
    }
  }
  const isResponse = last.message.includes("invalid OAuth 2.0 response");
  throw isResponse
    ? new ProviderError("refused", `${expected.host} publishes no valid metadata for this issuer.`)
    : last;
}

/** Where the metadata of an issuer can be. The well-known path precedes or follows the issuer's own path. */
function metadataUrls({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, "");
  const openId = "/.well-known/openid-configuration";
  const inserted = ["/.well-known/oauth-authorization-server", openId];
  const appended = path === "" ? [] : [`${origin}${path}${openId}`];
  return [...inserted.map((wellKnown) => `${origin}${wellKnown}${path}`), ...appended];
}
