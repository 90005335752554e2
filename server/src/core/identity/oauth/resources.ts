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

/**
 * What an access token is for (RFC 8707): the MCP endpoint for agents, or the REST API for programs such as the
 * command line.
 */
export type ResourceName = "mcp" | "rest";

export type Resource = {
  name: ResourceName;
  /** The audience of its access tokens: its canonical URL. */
  audience: string;
  /** The scopes that a client can get for it. */
  scopes: readonly ClientScope[];
  /** Its resource indicators: clients send the URL that they were given, with or without a trailing slash. */
  indicators: readonly string[];
};

/** The resources of this server. */
export function resourcesOf({ baseUrl, mcpUrl }: Addresses): Record<ResourceName, Resource> {
  const create = (name: ResourceName, urls: readonly [string, ...string[]]): Resource => ({
    name,
    audience: urls[0],
    scopes: name === "mcp" ? mcpScopes : restScopes,
    indicators: urls.flatMap((url) => [url, `${url}/`]),
  });
  const [canonical, ...others] = mcpPaths;
  return {
    mcp: create("mcp", [mcpUrl + canonical, ...others.map((path) => mcpUrl + path)]),
    rest: create("rest", [baseUrl + restPath]),
  };
}

/** The resource that a resource indicator means; undefined for others. */
export function findResource(config: Addresses, indicator: string): Resource | undefined {
  const { mcp, rest } = resourcesOf(config);
  return [mcp, rest].find(({ indicators }) => indicators.includes(indicator));
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
    describe(metadataPath + restPath, resourcesOf(config).rest.audience, restScopes),
  ];
}
