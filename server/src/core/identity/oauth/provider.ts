import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Client, Configuration, KoaContextWithOIDC, Provider as Library } from "oidc-provider";
import type { Outbound } from "@toolhost/sandbox";
import type { Config } from "#config";
import type { Database } from "#db";
import type { Clock } from "#lib/clock";
import { sha256 } from "#lib/hash";
import type { Log } from "#lib/log";
import { cookiePrefixOf } from "../access/cookie-names.ts";
import { createAdapter } from "./adapter.ts";
import { createClientDocuments } from "./client-documents.ts";
import { deriveKey, deriveSigningKey } from "./keys.ts";
import { errors, interactionPolicy, Provider } from "./library.ts";
import type { Refusal, ShowRefusal } from "./refusal.ts";
import { grantSeconds } from "./grant-record.ts";
import { allClientScopes, findResource, mcpScopes, resourcesOf } from "./resources.ts";

const accessTokenSeconds = 15 * 60;
const refreshTokenSeconds = 30 * 86_400;
const interactionSeconds = 15 * 60;

export type ProviderNeeds = {
  config: Config;
  db: Database;
  clock: Clock;
  log: Log;
  /** What its keys are derived from. */
  rootSecret: Buffer;
  outbound: Pick<Outbound, "fetch">;
  /** Records that a grant was ended, because a token of it was reused or its client revoked it. */
  onGrantEnd: (grantId: string, by: string) => Promise<void>;
};

/**
 * The OAuth 2.1 authorization server for MCP clients and the command line: authorization code with PKCE, rotating refresh
 * tokens, and opaque access tokens, each for the MCP endpoint or for the REST API. `shows` has the function that renders a refusal, for requests of browsers.
 */
export function createProvider(
  needs: ProviderNeeds,
  shows: WeakMap<IncomingMessage, ShowRefusal>,
): Library {
  const { config, log } = needs;
  const prefix = cookiePrefixOf(config.baseUrl);
  const endGrant = (id: string) => {
    const isByClient = Provider.ctx?.oidc.route === "revocation";
    return needs.onGrantEnd(id, isByClient ? "client" : "reuse");
  };
  const provider = new Provider(config.baseUrl, {
    ...staticSettings,
    adapter: (model) => createAdapter({ ...needs, endGrant }, model),
    jwks: { keys: [deriveSigningKey(needs.rootSecret)] },
    cookies: {
      keys: [deriveKey(needs.rootSecret, "cookies").toString("hex")],
      names: {
        interaction: `${prefix}.authorization`,
        resume: `${prefix}.authorization_resume`,
        session: `${prefix}.authorization_session`,
      },
      short: { signed: true, httpOnly: true, sameSite: "lax" },
      long: { signed: true, httpOnly: true, sameSite: "lax" },
    },
    fetch: createClientDocuments(needs).fetch,
    findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    renderError: (ctx, { error, error_description: description }, cause) => {
      // An unexpected error is logged below; this page is for the person in the browser.
      log.debug({ err: cause, error }, "refused an authorization request");
      const isOver = cause instanceof errors.SessionNotFound;
      const told = { error, description: description ?? error, isOver };
      return renderRefusal(ctx, told, shows.get(ctx.req));
    },
    features: featuresOf(config),
  });
  // The HTTP layer always passes the public URL, regardless of the address that the request was sent to.
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = compareSecret;
  provider.on("server_error", (_, error) => log.error({ err: error }, "authorization failed"));
  return provider;
}

/** Compares a client's secret with its stored hash. */
function compareSecret(this: Client, secret: string): boolean {
  const known = Buffer.from(this.clientSecret ?? "");
  const shown = Buffer.from(sha256(secret));
  return known.length === shown.length && timingSafeEqual(known, shown);
}

/** A user always decides on the consent page, which also requires them to be signed in. */
function createPolicy() {
  const { Check, Prompt, base } = interactionPolicy;
  const policy = base();
  policy.get("consent")?.checks.clear();
  policy.add(new Prompt({ name: "select_account", requestable: true }));
  for (const name of ["consent", "select_account"]) {
    policy
      .get(name)
      ?.checks.add(
        new Check(`${name}_prompt`, `the client requested ${name}`, (ctx) =>
          ctx.oidc.prompts.has(name) && ctx.oidc.result?.login === undefined
            ? Check.REQUEST_PROMPT
            : Check.NO_NEED_TO_PROMPT,
        ),
      );
  }
  const login = policy.get("login");
  login?.checks.clear();
  login?.checks.add(
    new Check("person_decides", "a user has to decide", (ctx) =>
      ctx.oidc.result?.login === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  );
  return policy;
}

const staticFeatures = {
  devInteractions: { enabled: false },
  userinfo: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  dPoP: { enabled: false },
  registration: { enabled: true, issueRegistrationAccessToken: false },
  revocation: {
    enabled: true,
    allowedPolicy: (_, client, token) => token.clientId === client.clientId,
  },
  clientIdMetadataDocument: {
    enabled: true,
    ack: "draft-02",
    cacheDuration: { min: 300, max: 86_400 },
    allowFetch: (_, id) => URL.parse(id)?.pathname !== "/",
  },
} as const satisfies Configuration["features"];

function featuresOf(config: Config): Configuration["features"] {
  const { mcp, rest } = resourcesOf(config);
  return {
    ...staticFeatures,
    // Clients that find it in the metadata use it, even if this server cannot fetch their documents.
    clientIdMetadataDocument: {
      ...staticFeatures.clientIdMetadataDocument,
      enabled: config.OAUTH_CLIENT_DOCUMENTS,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => mcp.audience,
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource) => {
        const { resource: asked } = ctx.oidc.params ?? {};
        const found = Array.isArray(asked) ? undefined : findResource(config, resource);
        if (found === undefined) {
          throw new errors.InvalidTarget(
            `the resource must be ${mcp.audience} or ${rest.audience}`,
          );
        }
        return {
          scope: found.scopes.join(" "),
          audience: found.audience,
          accessTokenFormat: "opaque",
          accessTokenTTL: accessTokenSeconds,
        };
      },
    },
  };
}

const staticSettings = {
  scopes: [...allClientScopes, "offline_access"],
  responseTypes: ["code"],
  claims: {},
  // Agents request every scope that is listed, so those of the REST API are in its own metadata only. `openid` is not listed,
  // because ID tokens have no use here.
  discovery: { scopes_supported: [...mcpScopes, "offline_access"] },
  clientDefaults: {
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    id_token_signed_response_alg: "ES256",
  },
  enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
  clientAuthMethods: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
  routes: {
    authorization: "/oauth/authorize",
    token: "/oauth/token",
    registration: "/oauth/register",
    revocation: "/oauth/revoke",
    jwks: "/oauth/jwks",
  },
  pkce: { required: () => true },
  allowOmittingSingleRegisteredRedirectUri: false,
  clientBasedCORS: () => true,
  rotateRefreshToken: true,
  issueRefreshToken: async (_, client) => client.grantTypeAllowed("refresh_token"),
  expiresWithSession: () => false,
  ttl: {
    AccessToken: accessTokenSeconds,
    RefreshToken: refreshTokenSeconds,
    AuthorizationCode: 60,
    Grant: grantSeconds,
    Interaction: interactionSeconds,
    Session: interactionSeconds,
    IdToken: 600,
  },
  interactions: {
    policy: createPolicy(),
    url: (_, { uid }) => `/oauth/consent?uid=${uid}`,
  },
  loadExistingGrant: async ({ oidc }) => {
    const grantId = oidc.result?.consent?.grantId;
    return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
  },
} as const satisfies Configuration;

type Told = Pick<Refusal, "error" | "description" | "isOver">;

/** A page for browsers; plain text otherwise, because the text repeats untrusted parts of the request. */
async function renderRefusal(
  ctx: KoaContextWithOIDC,
  told: Told,
  show: ShowRefusal | undefined,
): Promise<void> {
  if (show === undefined) {
    ctx.type = "text/plain";
    ctx.body = `This app could not be connected: ${told.description}.\n\nGo back to the app and try again.\n`;
    return;
  }
  const { client, params } = ctx.oidc;
  const page = await show({
    ...told,
    status: ctx.status,
    clientName: client?.clientName,
    clientId: textOf(params?.["client_id"]),
    redirectUri: textOf(params?.["redirect_uri"]),
  });
  ctx.set(Object.fromEntries(page.headers));
  ctx.status = page.status;
  ctx.body = await page.text();
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
