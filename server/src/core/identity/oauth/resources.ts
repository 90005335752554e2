import type { Scope } from "@toolhost/contract";
import type { Config } from "#config";

/** The scopes that a client can get. */
export const allClientScopes = ["mcp:read", "mcp:execute"] as const satisfies readonly Scope[];

export type ClientScope = (typeof allClientScopes)[number];

/** The paths of the MCP endpoint. The first is its canonical one; each is also a resource. */
export const mcpPaths = ["/api/mcp", "/mcp", ""] as const;

/** The resource that access tokens are for (RFC 8707): the MCP endpoint. */
export function mcpResource({ mcpUrl }: Pick<Config, "mcpUrl">): string {
  return mcpUrl + mcpPaths[0];
}

/**
 * Whether a resource indicator means the MCP endpoint. Clients send the URL that they were given, with or without a
 * trailing slash.
 */
export function isMcpResource({ mcpUrl }: Pick<Config, "mcpUrl">, resource: string): boolean {
  const bare = resource.replace(/\/$/, "");
  return mcpPaths.some((path) => bare === mcpUrl + path);
}

const metadataPath = "/.well-known/oauth-protected-resource";

/**
 * The path of the metadata of the MCP endpoint under one of its paths (RFC 9728, section 3). Clients require that
 * `resource` in it is the URL that they use.
 */
export function resourceMetadataPath(path: (typeof mcpPaths)[number]): string {
  // The standard's path for a bare host already belongs to the canonical path.
  return metadataPath + (path === "" ? "/origin" : path);
}

/** The protected resource metadata (RFC 9728) of the MCP endpoint under one of its paths, and its own path. */
export function describeResource(config: Config, path: (typeof mcpPaths)[number]) {
  const document = {
    resource: config.mcpUrl + path,
    authorization_servers: [config.baseUrl],
    bearer_methods_supported: ["header"],
    scopes_supported: allClientScopes,
    resource_name: "Toolhost",
  };
  return { path: resourceMetadataPath(path), document };
}
