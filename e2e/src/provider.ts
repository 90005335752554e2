import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { ClientMetadata, Configuration } from "oidc-provider";

/** An independent authorization server on a local port, and an API that accepts its tokens. */
export type TestProvider = {
  /** The issuer, and the origin of the API. */
  origin: string;
  /** `host:port`, for `EGRESS_PRIVATE_HOSTS`. */
  host: string;
  /** Registers the clients with a redirect URI. Must be called first. */
  serve(settings: { redirectUri: string }): void;
  /** The grant types of the tokens that it issued. */
  grants: string[];
  /** The tokens that it revoked. */
  revoked: string[];
  /** The Authorization headers that the API received. */
  seen: string[];
  /** The refresh tokens that it issued. */
  refreshTokens: string[];
  /** Lifetime of access tokens, in seconds. */
  life: number;
  /** Responses of the token endpoint wait for this promise. */
  hold: Promise<void> | undefined;
  /** Whether the token endpoint responds with 503. */
  isDown: boolean;
  /** Revokes every grant, like a user in the provider's settings. */
  endGrants(): Promise<void>;
  close(): void;
};

/** The secret of both clients: `web` acts for users, `machine` for itself. */
export const clientSecret = "a-client-secret-of-forty-characters-or-so";

/** Starts it. It responds after `serve` was called. */
export async function startProvider(): Promise<TestProvider> {
  let listener: ReturnType<Provider["callback"]> | undefined;
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    const { url = "" } = request;
    const isToken = url.startsWith("/token") && request.method === "POST";
    if (url.startsWith("/api")) void answerAsApi(provider, test, request.headers, response);
    else if (isToken && test.isDown) response.writeHead(503).end("away");
    else if (isToken && test.hold !== undefined) {
      // The tokens are issued; only the response is delayed.
      const { hold } = test;
      const end = response.end.bind(response);
      response.end = ((...args: Parameters<typeof end>) => {
        void hold.then(() => end(...args));
        return response;
      }) as typeof response.end;
      void listener?.(request, response);
    } else void listener?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const grantIds = new Set<string>();
  const test: TestProvider = {
    origin,
    host: `127.0.0.1:${port}`,
    serve: ({ redirectUri }) => {
      provider = new Provider(origin, configurationOf(test, redirectUri));
      listener = provider.callback();
      provider.on("grant.success", ({ oidc, body }) => {
        test.grants.push(String(oidc.params?.["grant_type"]));
        if (typeof body === "object" && body !== null && "refresh_token" in body) {
          test.refreshTokens.push(String(body.refresh_token));
        }
        const grantId = oidc.entities.Grant?.jti;
        if (grantId !== undefined) grantIds.add(grantId);
      });
      provider.on("access_token.destroyed", () => test.revoked.push("access_token"));
      provider.on("refresh_token.destroyed", () => test.revoked.push("refresh_token"));
      provider.on("grant.revoked", () => test.revoked.push("grant"));
    },
    grants: [],
    revoked: [],
    seen: [],
    refreshTokens: [],
    life: 3_600,
    hold: undefined,
    isDown: false,
    endGrants: async () => {
      for (const id of grantIds) await (await provider?.Grant.find(id))?.destroy();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return test;
}

function configurationOf(test: TestProvider, redirectUri: string): Configuration {
  const common: Partial<ClientMetadata> = {
    client_secret: clientSecret,
    token_endpoint_auth_method: "client_secret_basic",
  };
  return {
    clients: [
      {
        ...common,
        client_id: "web",
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
      },
      {
        ...common,
        client_id: "machine",
        redirect_uris: [],
        response_types: [],
        grant_types: ["client_credentials"],
      },
    ],
    scopes: ["api:read", "api:write"],
    features: {
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      devInteractions: { enabled: true },
    },
    pkce: { required: () => true },
    rotateRefreshToken: () => true,
    issueRefreshToken: async () => true,
    ttl: {
      AccessToken: () => test.life,
      ClientCredentials: () => test.life,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 86_400,
      Interaction: 3_600,
    },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    cookies: { keys: ["a key of the test's provider"] },
  };
}

type Answer = { writeHead(status: number): Answer; end(text: string): unknown };

/** Returns the owner of the received token, or 401. */
async function answerAsApi(
  provider: Provider | undefined,
  test: TestProvider,
  headers: Record<string, unknown>,
  response: Answer,
): Promise<void> {
  const authorization = String(headers["authorization"]);
  test.seen.push(authorization);
  const token = authorization.replace(/^Bearer /, "");
  const found =
    (await provider?.AccessToken.find(token)) ?? (await provider?.ClientCredentials.find(token));
  if (found === undefined || found.isExpired) response.writeHead(401).end("no such token");
  else response.writeHead(200).end(`hello ${found.clientId}, you sent ${authorization}`);
}
