import type { Config } from "#config";

/** The scopes that a client can get, with their descriptions for the consent page. */
export const clientScopes = {
  "mcp:read": "See your tools, their documentation and your runs",
  "mcp:execute": "Run your tools on your behalf, with the credentials they use",
} as const;

export type ClientScope = keyof typeof clientScopes;

export const allClientScopes = Object.keys(clientScopes) as ClientScope[];

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
