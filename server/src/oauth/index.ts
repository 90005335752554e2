import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import type { Context as HonoContext } from "hono";
import { cors } from "hono/cors";
import type { Context } from "#core/context";
import { allClientScopes, describeResource, mcpPaths } from "#core/identity";
import { addressSubject, takePoints } from "#core/limits";
import type { Door } from "#rest";
import { mountChatPages } from "./chat-pages.ts";
import { mountConnections } from "./connect.ts";
import { answerConsent, orProblemPage, showConsent } from "./consent.ts";
import { mountCredentialPages } from "./credential-pages.ts";
import { createPeoplePages } from "./people-pages.ts";
import { showRefusal } from "./refusal.ts";
import { readRegistration } from "./registration.ts";

type DoorContext = HonoContext<Door>;

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
 * The authorization request with scopes that exist. Clients that ask for none of them, or for none at all, mean
 * what there is; the person decides.
 */
function withScopes(url: URL): string {
  const scopes = (url.searchParams.get("scope") ?? "").split(/ +/);
  const known = allClientScopes.filter((scope) => scopes.includes(scope));
  url.searchParams.set("scope", (known.length === 0 ? allClientScopes : known).join(" "));
  return url.pathname + url.search;
}

/** What a page about a running authorization is made from. */
function asked(c: DoorContext) {
  const { incoming, outgoing } = c.env;
  return { request: c.req.raw, exchange: { incoming, outgoing }, origin: c.get("origin") };
}

/** Sign-in of MCP clients: discovery, registration, authorization, tokens, and the pages people see. */
export function createOAuth(context: Context): Hono<Door> {
  const door = new Hono<Door>();
  const handOver = createHandOver(context);
  door.use("/.well-known/*", cors({ origin: "*" }));
  for (const path of discoveryPaths) door.get(path, (c) => handOver(c, discoveryPath));
  const described = mcpPaths.map((path) => describeResource(context.config, path));
  for (const { path, document } of described) door.get(path, (c) => c.json(document));
  // Whoever knows nothing but the host is told of the endpoint's name.
  const [{ document } = { document: {} }] = described;
  door.get("/.well-known/oauth-protected-resource", (c) => c.json(document));
  door.get("/oauth/consent", (c) => orProblemPage(() => showConsent(context, asked(c))));
  door.post("/oauth/consent", (c) => orProblemPage(() => answerConsent(context, asked(c))));
  door.route("/", createPeoplePages(context));
  door.options("/oauth/register", cors({ origin: "*" }));
  door.post("/oauth/register", cors({ origin: "*" }), async (c) => {
    await takePoints(context, "registrations", addressSubject(c.get("origin").ip));
    const { refusal, metadata } = await readRegistration(context, c.req.raw);
    return refusal ?? handOver(c, "/oauth/register", metadata);
  });
  door.all("/oauth/token", async (c) => {
    if (c.req.method === "POST") {
      await takePoints(context, "token-requests", addressSubject(c.get("origin").ip));
    }
    return handOver(c);
  });
  door.get("/oauth/authorize", (c) => handOver(c, withScopes(new URL(c.req.url))));
  door.all("/oauth/*", (c) => handOver(c));
  mountConnections(door, context);
  mountCredentialPages(door, context);
  mountChatPages(door, context);
  return door;
}

/**
 * Lets the authorization server answer in our place. It builds addresses from the request's host, so it is
 * given the configured one, whatever was sent.
 */
function createHandOver(context: Context) {
  const { protocol, host } = new URL(context.config.baseUrl);
  return async (c: DoorContext, path?: string, body?: unknown): Promise<Response> => {
    const { incoming, outgoing } = c.env;
    c.set("route", new URL(c.req.url).pathname.split("/", 3).join("/"));
    incoming.headers.host = host;
    incoming.headers["x-forwarded-proto"] = protocol.slice(0, -1);
    delete incoming.headers["x-forwarded-host"];
    if (path !== undefined) incoming.url = path;
    outgoing.setHeader("x-request-id", c.get("origin").requestId);
    outgoing.setHeader("x-content-type-options", "nosniff");
    outgoing.setHeader("x-frame-options", "DENY");
    outgoing.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    const exchanged = body === undefined ? incoming : withBody(incoming, body);
    const show = isBrowserAsking(c) ? showRefusal : undefined;
    await context.authorizationServer.answer(exchanged, outgoing, show);
    return RESPONSE_ALREADY_SENT;
  };
}

/** Whether a person looks at the answer; programs say of themselves that they take anything, or JSON. */
function isBrowserAsking(c: DoorContext): boolean {
  const isForPeople = /^\/oauth\/authorize(?:\/|$)/.test(new URL(c.req.url).pathname);
  return isForPeople && /\btext\/html\b/i.test(c.req.header("accept") ?? "");
}

/** The same request with another body, for a server that reads bodies itself. */
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
