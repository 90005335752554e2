import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { rateLimitHeaders } from "#core/limits";
import { handleAuthRequest } from "#core/identity";
import { explainOutage, isDatabaseError } from "#db";
import { newId } from "#lib/ids";
import { clientAddress, createNetworks } from "#lib/networks";
import { createConsole, showMissingPage } from "#console";
import { createBot } from "#bot";
import { createMcp } from "#mcp";
import { createOAuth } from "#oauth";
import { createRest, readBytes, toProblemResponse } from "#rest";
import type { Metrics } from "#metrics";
import type { AppEnv } from "#rest";
import { CachedRouter } from "./cached-router.ts";
import { chargeAnonymous } from "./charge-anonymous.ts";
import { noteOwner } from "./connection-guard.ts";
import { checkMetricsAccess } from "./serve-metrics.ts";
import type { Readiness } from "./readiness.ts";
import { traceRequests } from "./trace-requests.ts";
import type { LoopWatch } from "./watch-loop.ts";

/** Sign-in requests are short, and the libraries that parse them read the body more than once. */
const maxFormBytes = 64 * 1024;
const eventStreamType = "text/event-stream";

/** What observes the service or reports on it. */
type Monitors = { metrics: Metrics; loop: LoopWatch; readiness: Readiness };

/** The whole application: REST, MCP, OAuth, the bot, the console, and the health and metrics endpoints. */
export async function createApp(
  context: Context,
  { metrics, loop, readiness }: Monitors,
): Promise<Hono<AppEnv>> {
  const app = new Hono<AppEnv>({ router: new CachedRouter() });
  app.use(observe(context, metrics, loop));
  if (context.tracing.isOn) app.use(traceRequests(context));
  app.use(chargeAnonymous(context));
  app.onError((error, c) =>
    toProblemResponse(toServiceError(context, c, error), c.get("origin").requestId),
  );
  app.notFound(async (c) => {
    const page = await showMissingPage(c);
    if (page !== undefined) return page;
    const refusal = new ServiceError("not_found", "No endpoint exists at this path.");
    return toProblemResponse(refusal, c.get("origin").requestId);
  });
  app.route("/api/v1", createRest(context));
  app.all("/api/auth/*", async (c) =>
    handleAuthRequest(
      context,
      await withBoundedBody(c.req.raw, Math.min(context.config.BODY_MAX_BYTES, maxFormBytes)),
      c.get("origin"),
    ),
  );
  app.route("/", createOAuth(context));
  app.route("/", await createMcp(context));
  app.route("/bot", createBot(context));
  app.route("/", createConsole());
  app.get("/openapi.json", (c) =>
    app.fetch(new Request(new URL("/api/v1/openapi.json", c.req.url), c.req.raw), c.env),
  );
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", (c) => {
    const { isReady, ...components } = readiness.read();
    if (isReady) return c.json({ status: "ready", ...components });
    const status = context.cluster.isLeaving ? "stopping" : "not_ready";
    return c.json({ status, ...components }, 503, { "retry-after": "5" });
  });
  app.get("/metrics", async (c) => {
    checkMetricsAccess(context.config, c.env.incoming);
    const { contentType, text } = await metrics.render();
    return new Response(text, { headers: { "content-type": contentType } });
  });
  return app;
}

/** Assigns each request an ID, sets common response headers, and records metrics. */
function observe(context: Context, metrics: Metrics, loop: LoopWatch): MiddlewareHandler<AppEnv> {
  const isTrustedProxy = createNetworks(context.config.TRUSTED_PROXIES);
  return async (c, next) => {
    const startedAt = performance.now();
    const peer = c.env.incoming.socket.remoteAddress ?? null;
    const forwardedFor = c.req.header("x-forwarded-for") ?? null;
    const origin = { requestId: newId(), ip: clientAddress(peer, forwardedFor, isTrustedProxy) };
    c.set("origin", origin);
    c.set("route", "other");
    const { method } = c.req;
    loop.noteRequest({ requestId: origin.requestId, method, route: () => c.get("route") });
    context.accessLog.begin(origin.requestId);
    const { incoming, outgoing } = c.env;
    // Headers of the response replace these: a replayed one has the ID of its original request, and an error describes the limit
    // that was reached. The headers of a `Response` would be parsed to add some.
    outgoing.setHeader("x-request-id", origin.requestId);
    outgoing.setHeader("x-content-type-options", "nosniff");
    await next();
    // The body of a HEAD response is not sent, and nothing else releases what its stream holds.
    if (method === "HEAD") await c.res.body?.cancel();
    const userId = c.get("userId");
    if (userId !== undefined) noteOwner(incoming.socket, userId);
    for (const [name, value] of Object.entries(rateLimitHeaders(c.get("limits") ?? []))) {
      if (!outgoing.headersSent) outgoing.setHeader(name, value);
    }
    const { status } = c.res;
    const route = c.get("route");
    const elapsedMs = () => performance.now() - startedAt;
    metrics.observeRequest({ method, route, status, seconds: elapsedMs() / 1_000 });
    const log = () => {
      context.accessLog.end({ ...origin, method, route, status, durationMs: elapsedMs() });
    };
    // A client may have left before the stream begins.
    if (isEventStream(incoming, c.res) && !outgoing.destroyed) outgoing.once("close", log);
    else log();
  };
}

/** Only a client that accepts an event stream receives one. */
function isEventStream({ headers: { accept } }: IncomingMessage, response: Response): boolean {
  if (accept?.includes(eventStreamType) !== true) return false;
  return response.headers.get("content-type")?.startsWith(eventStreamType) === true;
}

/** Reads the body up to a limit, because the sign-in library does not limit it. */
async function withBoundedBody(request: Request, limitBytes: number): Promise<Request> {
  const { url, method, headers } = request;
  if (method === "GET" || method === "HEAD") return request;
  const body = await readBytes(request, limitBytes);
  return new Request(url, { method, headers, ...(body.length === 0 ? {} : { body }) });
}

/** The error for the response. Only the message of a `ServiceError` is public. */
function toServiceError(context: Context, c: HonoContext<AppEnv>, error: Error): ServiceError {
  const { requestId } = c.get("origin");
  if (error instanceof ServiceError) {
    if (error.cause !== undefined) context.log.debug({ err: error, requestId }, "request rejected");
    return error;
  }
  // The codes of a broken connection or a full disk may have other causes.
  const outage = isDatabaseError(error) ? explainOutage(error) : undefined;
  if (outage !== undefined) {
    context.cluster.problem = outage;
    context.log.warn({ err: error, requestId }, "database unavailable for a request");
    return new ServiceError("unavailable", outage, { retryAfterSeconds: 2 });
  }
  context.log.error({ err: error, requestId, method: c.req.method }, "request failed");
  return new ServiceError(
    "internal",
    `Internal server error. Report it with the request ID ${requestId}.`,
  );
}
