import type { Scope } from "@toolhost/contract";
import type { Config } from "#config";

/** The scopes that a client can get for the MCP endpoint. */
export const mcpScopes = ["mcp:read", "mcp:execute"] as const satisfies readonly Scope[];

/** The scopes that a client can get for the REST API. */
const restScopes = [
  ...mcpScopes,
  "tools:write",
  "credentials:write",
] as const satisfies readonly Scope[];

/** All scopes that a client can get. */
export const allClientScopes = restScopes;

export type ClientScope = (typeof allClientScopes)[number];

/** The paths of the MCP endpoint. The first is its canonical one; each is also a resource. */
export const mcpPaths = ["/api/mcp", "/mcp", ""] as const;

/** The path of the REST API, which is a resource of its own. */
const restPath = "/api/v1";

type Addresses = Pick<Config, "baseUrl" | "mcpUrl">;

/** The resource that access tokens for agents are for (RFC 8707): the MCP endpoint. */
export function mcpResource({ mcpUrl }: Pick<Config, "mcpUrl">): string {
  return mcpUrl + mcpPaths[0];
}

/** The resource that access tokens for programs such as the command line are for: the REST API. */
export function restResource({ baseUrl }: Pick<Config, "baseUrl">): string {
  return baseUrl + restPath;
}

/**
 * The resource that a resource indicator means; undefined for others. Clients send the URL that they were given, with or without
 * a trailing slash.
 */
export function findResource(
  config: Addresses,
  indicator: string,
): { audience: string; scopes: readonly ClientScope[] } | undefined {
  const bare = indicator.replace(/\/$/, "");
  if (bare === restResource(config)) return { audience: bare, scopes: restScopes };
  if (!mcpPaths.some((path) => bare === config.mcpUrl + path)) return undefined;
  return { audience: mcpResource(config), scopes: mcpScopes };
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

/** The protected resource metadata (RFC 9728) of the MCP endpoint under each of its paths, and of the REST API. */
export function describeResources(config: Config) {
  const describe = (path: string, resource: string, scopes: readonly Scope[]) => ({
    path,
    document: {
      resource,
      authorization_servers: [config.baseUrl],
      bearer_methods_supported: ["header"],
      scopes_supported: scopes,
      resource_name: "Toolhost",
    },
  });
  return [
    ...mcpPaths.map((path) =>
      describe(resourceMetadataPath(path), config.mcpUrl + path, mcpScopes),
    ),
    describe(metadataPath + restPath, restResource(config), restScopes),
  ];
}
