import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Provider } from "oidc-provider";
import type { Configuration } from "oidc-provider";

/** What a path responds instead. */
type Override = { status?: number; headers?: Record<string, string>; body: unknown };

/** An MCP server that requires a sign-in, and its authorization server, each on a port of its own. */
export type ProtectedServer = {
  /** The URL of the MCP server. */
  url: string;
  /** Both, for `EGRESS_PRIVATE_HOSTS`. */
  hosts: string;
  issuer: string;
  /** Responses by path and port: `resource /path` or `issuer /path`. */
  overrides: Map<string, Override>;
  /** The metadata of both, which tests change. */
  resourceMetadata: Record<string, unknown>;
  issuerMetadata: Record<string, unknown>;
  /** The challenge of a response with 401, without its error. Undefined sends none. */
  challenge: string | undefined;
  /** A scope that requests need since then. */
  neededScope: string | undefined;
  /** Tokens that the MCP server refuses. */
  refused: Set<string>;
  /** The requests to both, as `POST /path`. */
  asked: string[];
  /** The bodies of requests to the token endpoint. */
  tokenRequests: URLSearchParams[];
  /** The bodies of registrations. */
  registrations: Record<string, unknown>[];
  /** The tokens that reached the MCP server. */
  seen: string[];
  endGrants(): Promise<void>;
  close(): void;
};

type Options = {
  tokenSeconds?: number;
  /** Whether registered clients get a secret. */
  secrets?: boolean;
};

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  return `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

export async function startProtectedServer({
  tokenSeconds = 3_600,
  secrets = false,
}: Options = {}): Promise<ProtectedServer> {
  const [resource, authorization] = [createServer(), createServer()];
  const [resourceHost, issuerHost] = [await listen(resource), await listen(authorization)];
  const [url, issuer] = [`http://${resourceHost}/mcp`, `http://${issuerHost}`];
  const wellKnown = `http://${resourceHost}/.well-known/oauth-protected-resource/mcp`;
  const test: ProtectedServer = {
    url,
    hosts: `${resourceHost},${issuerHost}`,
    issuer,
    overrides: new Map(),
    resourceMetadata: {
      resource: url,
      authorization_servers: [issuer],
      scopes_supported: ["tools:read", "tools:write"],
    },
    issuerMetadata: {},
    challenge: `resource_metadata="${wellKnown}"`,
    neededScope: undefined,
    refused: new Set(),
    asked: [],
    tokenRequests: [],
    registrations: [],
    seen: [],
    endGrants: async () => {
      for (const id of grantIds) await (await provider.Grant.find(id))?.destroy();
    },
    close: () => {
      for (const server of [resource, authorization]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
  const provider = new Provider(issuer, configurationOf({ tokenSeconds, secrets }));
  const grantIds = followProvider(provider, test);
  resource.on("request", serveResource(provider, test));
  authorization.on("request", serveIssuer(provider, test));
  return test;
}

/** The IDs of all grants, and the registrations for the test. */
function followProvider(provider: Provider, test: ProtectedServer): Set<string> {
  const grantIds = new Set<string>();
  provider.on("registration_create.success", ({ oidc }) => {
    test.registrations.push({ ...oidc.body });
  });
  provider.on("grant.success", ({ oidc }) => {
    const grantId = oidc.entities.Grant?.jti;
    if (grantId !== undefined) grantIds.add(grantId);
  });
  return grantIds;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function serveResource(provider: Provider, test: ProtectedServer): Listener {
  return (request, response) => {
    if (isOverridden(test, "resource", request, response)) return;
    const path = request.url ?? "";
    if (path === "/.well-known/oauth-protected-resource/mcp") {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(test.resourceMetadata));
    } else if (path.split("?")[0] !== "/mcp") response.writeHead(404).end();
    else void answerAsServer(test, provider, request, response);
  };
}

function serveIssuer(provider: Provider, test: ProtectedServer): Listener {
  const library = provider.callback();
  return (request, response) => {
    if (isOverridden(test, "issuer", request, response)) return;
    const path = request.url ?? "";
    const isMetadata = path.startsWith("/.well-known/oauth-authorization-server");
    if (path.startsWith("/interaction/")) {
      decide(provider, test.url, request, response).catch(() => response.destroy());
    } else if (isMetadata || path.startsWith("/.well-known/openid-configuration")) {
      void publish(test, library, request, response);
    } else {
      if (path === "/token") readForm(test, request);
      void library(request, response);
    }
  };
}

function isOverridden(
  test: ProtectedServer,
  name: "resource" | "issuer",
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { url: path = "", method = "" } = request;
  test.asked.push(`${method} ${path}`);
  const override = test.overrides.get(`${name} ${path.split("?")[0]}`);
  if (override === undefined) return false;
  const { status = 200, headers = {}, body } = override;
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(typeof body === "string" ? body : JSON.stringify(body));
  return true;
}

function configurationOf({ tokenSeconds, secrets }: Required<Options>): Configuration {
  return {
    scopes: ["offline_access", "tools:read", "tools:write", "tools:admin"],
    clientAuthMethods: secrets ? ["client_secret_basic", "client_secret_post"] : ["none"],
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: "tools:read tools:write tools:admin",
          audience: resource,
          accessTokenFormat: "opaque",
          accessTokenTTL: tokenSeconds,
        }),
      },
    },
    pkce: { required: () => true },
    rotateRefreshToken: () => true,
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { RefreshToken: 86_400, Grant: 86_400, Session: 86_400, Interaction: 3_600 },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    cookies: { keys: ["a key of the test"] },
  };
}

/** The metadata of the library with the changes of the test, at the paths of RFC 8414 too. */
async function publish(
  test: ProtectedServer,
  library: ReturnType<Provider["callback"]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.url = "/.well-known/openid-configuration";
  const end = response.end.bind(response);
  response.end = ((text: string | Buffer) => {
    const changed = { ...(JSON.parse(String(text)) as object), ...test.issuerMetadata };
    const body = JSON.stringify(changed);
    response.setHeader("content-length", Buffer.byteLength(body));
    return end(body);
  }) as typeof response.end;
  await library(request, response);
}

function readForm(test: ProtectedServer, request: IncomingMessage): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    test.tokenRequests.push(new URLSearchParams(Buffer.concat(chunks).toString()));
  });
}

async function answerAsServer(
  test: ProtectedServer,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const found = token === undefined ? undefined : await provider.AccessToken.find(token);
  if (token !== undefined) test.seen.push(token);
  const isValid =
    found !== undefined &&
    !found.isExpired &&
    found.aud === test.url &&
    !test.refused.has(token ?? "");
  const refuse = (status: number, error: string) => {
    const challenge = [test.challenge, error].filter((part) => part !== undefined && part !== "");
    if (challenge.length > 0)
      response.setHeader("www-authenticate", `Bearer ${challenge.join(", ")}`);
    response.writeHead(status).end();
  };
  if (!isValid) return refuse(401, token === undefined ? "" : 'error="invalid_token"');
  const { neededScope } = test;
  if (neededScope !== undefined && !String(found.scope).split(" ").includes(neededScope)) {
    return refuse(403, `error="insufficient_scope", scope="${neededScope}"`);
  }
  const result = { protocolVersion: "2025-11-25", scope: found.scope };
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
}

/** Signs one account in, and grants what the client asks for. */
async function decide(
  provider: Provider,
  resource: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: "ada" } });
    return;
  }
  const accountId = session?.accountId ?? "ada";
  const grant = new provider.Grant({ accountId, clientId: String(params["client_id"]) });
  const scope = typeof params["scope"] === "string" ? params["scope"] : "";
  grant.addOIDCScope(scope);
  grant.addResourceScope(resource, scope);
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(
    request,
    response,
    { consent },
    { mergeWithLastSubmission: true },
  );
}
