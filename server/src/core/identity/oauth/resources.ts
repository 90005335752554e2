import type { Config } from "#config";

/** The scopes that a client may be given, and what they mean to the person who is asked. */
export const clientScopes = {
  "mcp:read": "See your tools, their documentation and your runs",
  "mcp:execute": "Run your tools on your behalf, with the credentials they use",
} as const;

export type ClientScope = keyof typeof clientScopes;

export const allClientScopes = Object.keys(clientScopes) as ClientScope[];

/** Where the MCP endpoint answers, the first of them being its name; each is also a resource of its own. */
export const mcpPaths = ["/api/mcp", "/mcp", ""] as const;

/** What access tokens are for (RFC 8707): the MCP endpoint. */
export function mcpResource({ mcpUrl }: Pick<Config, "mcpUrl">): string {
  return mcpUrl + mcpPaths[0];
}

/**
 * Whether a client means the MCP endpoint by a resource indicator. Clients send the address they were given,
 * with or without a slash at its end.
 */
export function isMcpResource({ mcpUrl }: Pick<Config, "mcpUrl">, resource: string): boolean {
  const bare = resource.replace(/\/$/, "");
  return mcpPaths.some((path) => bare === mcpUrl + path);
}

const metadataPath = "/.well-known/oauth-protected-resource";

/**
 * Where the metadata of the MCP endpoint under one of its paths is (RFC 9728, section 3): clients want to
 * read there the very address that they use.
 */
export function resourceMetadataPath(path: (typeof mcpPaths)[number]): string {
  // The path that the standard has for a bare host belongs to the endpoint's name.
  return metadataPath + (path === "" ? "/origin" : path);
}

/** Protected resource metadata (RFC 9728) of the MCP endpoint under one of its paths, and where it is. */
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
