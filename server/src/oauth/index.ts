import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import type { Context as HonoContext } from "hono";
import { cors } from "hono/cors";
import type { Context } from "#core/context";
import { describeResources, findResource, mcpPaths, mcpScopes } from "#core/identity";
import type { Refusal } from "#core/identity";
import { addressSubject, chargePoints } from "#core/limits";
import type { AppEnv } from "#rest";
import { createAccountPages } from "./account-pages.ts";
import { showAuthorizationError } from "./authorization-error-page.ts";
import { mountChatPages } from "./chat-pages.ts";
import { mountConnectionPages } from "./connection-pages.ts";
import { showConsent, submitConsent } from "./consent.ts";
import { mountCredentialPages } from "./credential-pages.ts";
import { orProblemPage } from "./problem-page.ts";
import { readRegistration } from "./registration.ts";

export { toWaitingPage } from "./waiting-page.ts";

type RouteContext = HonoContext<AppEnv>;

const discoveryPath = "/.well-known/oauth-authorization-server";
/** Where clients look for the authorization server (RFC 8414, section 3.1; OpenID Connect Discovery). */
const discoveryPaths = [
  discoveryPath,
  "/.well-known/openid-configuration",
  ...mcpPaths.flatMap((path) =>
    path === ""
      ? []
      : [
          discoveryPath + path,
          `/.well-known/openid-configuration${path}`,
          `${path}/.well-known/openid-configuration`,
        ],
  ),
];

/**
 * The authorization request with scopes of its resource only, or with those of agents if it names none. The user decides on the
 * consent page.
 */
function withScopes({ config }: Context, url: URL): string {
  const scopes = (url.searchParams.get("scope") ?? "").split(/ +/);
  const resource = findResource(config, url.searchParams.get("resource") ?? "");
  const known = (resource?.scopes ?? mcpScopes).filter((scope) => scopes.includes(scope));
  url.searchParams.set("scope", (known.length === 0 ? mcpScopes : known).join(" "));
  return url.pathname + url.search;
}

/** What the consent page needs of a request. */
function consentRequestOf(c: RouteContext) {
  const { incoming, outgoing } = c.env;
  return { request: c.req.raw, exchange: { incoming, outgoing }, origin: c.get("origin") };
}

/** The endpoints of the authorization server for MCP clients, and all script-free pages. */
export function createOAuth(context: Context): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const delegate = createDelegate(context);
  app.use("/.well-known/*", cors({ origin: "*" }));
  for (const path of discoveryPaths) app.get(path, (c) => delegate(c, discoveryPath));
  const described = describeResources(context.config);
  for (const { path, document } of described) app.get(path, (c) => c.json(document));
  // For clients that know only the host.
  const [{ document } = { document: {} }] = described;
  app.get("/.well-known/oauth-protected-resource", (c) => c.json(document));
  app.get("/oauth/consent", (c) => orProblemPage(() => showConsent(context, consentRequestOf(c))));
  app.post("/oauth/consent", (c) =>
    orProblemPage(() => submitConsent(context, consentRequestOf(c))),
  );
  app.route("/", createAccountPages(context));
  app.options("/oauth/register", cors({ origin: "*" }));
  app.post("/oauth/register", cors({ origin: "*" }), async (c) => {
    await chargePoints(context, "registrations", addressSubject(c.get("origin").ip));
    const { error, metadata } = await readRegistration(context, c.req.raw);
    return error ?? delegate(c, "/oauth/register", metadata);
  });
  app.all("/oauth/token", async (c) => {
    if (c.req.method === "POST") {
      await chargePoints(context, "token-requests", addressSubject(c.get("origin").ip));
    }
    return delegate(c);
  });
  app.get("/oauth/authorize", (c) => delegate(c, withScopes(context, new URL(c.req.url))));
  app.all("/oauth/*", (c) => delegate(c));
  mountConnectionPages(app, context);
  mountCredentialPages(app, context);
  mountChatPages(app, context);
  return app;
}

/**
 * Passes requests to the authorization server library. The library builds URLs from the request's host, so the
 * request gets the configured host (host header injection).
 */
function createDelegate(context: Context) {
  const { protocol, host } = new URL(context.config.baseUrl);
  return async (c: RouteContext, path?: string, body?: unknown): Promise<Response> => {
    const { incoming, outgoing } = c.env;
    c.set("route", routeOf(c.req.path));
    incoming.headers.host = host;
    incoming.headers["x-forwarded-proto"] = protocol.slice(0, -1);
    delete incoming.headers["x-forwarded-host"];
    if (path !== undefined) incoming.url = path;
    outgoing.setHeader("x-frame-options", "DENY");
    outgoing.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    const forwarded = body === undefined ? incoming : withBody(incoming, body);
    const { OAUTH_CLIENT_DOCUMENTS } = context.config;
    const show = isPageRequest(c)
      ? (refusal: Refusal) => showAuthorizationError(refusal, OAUTH_CLIENT_DOCUMENTS)
      : undefined;
    await context.authorizationServer.answer(forwarded, outgoing, show);
    return RESPONSE_ALREADY_SENT;
  };
}

/** The library's endpoint, for metrics. Unknown paths share one name, because clients can request any number of them. */
function routeOf(path: string): string {
  if (path.startsWith("/.well-known/")) return path;
  return (
    /^\/oauth\/(?:authorize|token|register|revoke|jwks)(?![\w-])/.exec(path)?.[0] ?? "/oauth/*"
  );
}

/** Whether a browser shows the response to a user; other clients accept JSON or anything. */
function isPageRequest(c: RouteContext): boolean {
  const isAuthorization = /^\/oauth\/authorize(?:\/|$)/.test(new URL(c.req.url).pathname);
  return isAuthorization && /\btext\/html\b/i.test(c.req.header("accept") ?? "");
}

/** A copy of the request with another body, because the library reads the body itself. */
function withBody(incoming: IncomingMessage, body: unknown): IncomingMessage {
  const bytes = Buffer.from(JSON.stringify(body));
  const { method, url, socket, httpVersion, httpVersionMajor, httpVersionMinor } = incoming;
  const { "transfer-encoding": _, ...headers } = incoming.headers;
  return Object.assign(Readable.from([bytes], { objectMode: false }), {
    method,
    url,
    socket,
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": String(bytes.length),
    },
  }) as unknown as IncomingMessage;
}
