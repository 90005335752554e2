import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { rateLimitHeaders } from "#core/limits";
import { answerAuth } from "#core/identity";
import { explainOutage } from "#db";
import { newId } from "#lib/ids";
import { clientAddress, createNetworks } from "#lib/networks";
import { createConsole, showMissingPage } from "#console";
import { createBot } from "#bot";
import { createMcp } from "#mcp";
import { createOAuth } from "#oauth";
import { createRest, readBytes, toProblemResponse } from "#rest";
import type { Door, Metrics } from "#rest";
import { chargeAnonymous } from "./charge-anonymous.ts";
import { noteOwner } from "./connection-guard.ts";
import { checkMetricsAccess } from "./serve-metrics.ts";
import type { LoopWatch } from "./watch-loop.ts";

/** Sign-in requests are short, and the libraries that parse them read them more than once. */
const maxFormBytes = 64 * 1024;

/** Creates the application: all interfaces, and the routes for operators. */
export function createApp(context: Context, metrics: Metrics, loop: LoopWatch): Hono<Door> {
  const app = new Hono<Door>();
  app.use(observe(context, metrics, loop));
  app.use(chargeAnonymous(context));
  app.onError((error, c) =>
    toProblemResponse(explain(context, c, error), c.get("origin").requestId),
  );
  app.notFound(async (c) => {
    const page = await showMissingPage(c);
    if (page !== undefined) return page;
    const refusal = new ServiceError("not_found", "No route has this path.");
    return toProblemResponse(refusal, c.get("origin").requestId);
  });
  app.route("/api/v1", createRest(context));
  app.all("/api/auth/*", async (c) =>
    answerAuth(
      context,
      await withBoundedBody(c.req.raw, Math.min(context.config.BODY_MAX_BYTES, maxFormBytes)),
      c.get("origin"),
    ),
  );
  app.route("/", createOAuth(context));
  app.route("/", createMcp(context));
  app.route("/bot", createBot(context));
  app.route("/", createConsole());
  app.get("/openapi.json", (c) =>
    app.fetch(new Request(new URL("/api/v1/openapi.json", c.req.url)), c.env),
  );
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", shareReadiness(context));
  app.get("/metrics", async (c) => {
    checkMetricsAccess(context.config, c.env.incoming);
    const { contentType, text } = await metrics.render();
    return new Response(text, { headers: { "content-type": contentType } });
  });
  return app;
}

/** Assigns each request an ID, adds response headers and records metrics. */
function observe(context: Context, metrics: Metrics, loop: LoopWatch): MiddlewareHandler<Door> {
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
    await next();
    const userId = c.get("userId");
    if (userId !== undefined) noteOwner(c.env.incoming.socket, userId);
    // A replay has the ID of the first request.
    if (!c.res.headers.has("x-request-id")) c.res.headers.set("x-request-id", origin.requestId);
    c.res.headers.set("x-content-type-options", "nosniff");
    for (const [name, value] of Object.entries(rateLimitHeaders(c.get("limits") ?? []))) {
      // A refusal already has the headers of the limit that was reached.
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    metrics.observeRequest({
      method: c.req.method,
      route: c.get("route"),
      status: c.res.status,
      seconds: (performance.now() - startedAt) / 1_000,
    });
  };
}

/** Limits the size of the body, because the sign-in library does not. */
async function withBoundedBody(request: Request, limitBytes: number): Promise<Request> {
  const { url, method, headers } = request;
  if (method === "GET" || method === "HEAD") return request;
  const body = await readBytes(request, limitBytes);
  return new Request(url, { method, headers, ...(body.length === 0 ? {} : { body }) });
}

/** The error to report to the caller. Only the message of a `ServiceError` is shown. */
function explain(context: Context, c: HonoContext<Door>, error: Error): ServiceError {
  const { requestId } = c.get("origin");
  if (error instanceof ServiceError) {
    if (error.cause !== undefined)
      context.log.debug({ err: error, requestId }, "refused a request");
    return error;
  }
  const outage = explainOutage(error);
  if (outage !== undefined) {
    context.cluster.problem = outage;
    context.log.warn({ err: error, requestId }, "database unavailable during a request");
    return new ServiceError("unavailable", outage, { retryAfterSeconds: 2 });
  }
  context.log.error({ err: error, requestId, method: c.req.method }, "request failed");
  return new ServiceError(
    "internal",
    `An unexpected error occurred. Report it with the request ID ${requestId}.`,
  );
}

/** Concurrent requests share one check, because the route is public. */
function shareReadiness(context: Context): () => Promise<Response> {
  let pending: Promise<Response> | undefined;
  return async () => {
    pending ??= checkReadiness(context).finally(() => (pending = undefined));
    return (await pending).clone();
  };
}

/** Returns 200 if runs can be accepted, otherwise 503 with the component that is not ready. */
async function checkReadiness(context: Context): Promise<Response> {
  const [database, sandbox] = await Promise.all([checkDatabase(context), context.sandbox.check()]);
  const isReady = database.ready && sandbox.ready && !context.cluster.isStopping;
  return Response.json(
    { status: isReady ? "ready" : "not_ready", database, sandbox },
    { status: isReady ? 200 : 503, headers: isReady ? {} : { "retry-after": "5" } },
  );
}

/** Readiness probes must not wait for long. */
const pingTimeoutMs = 2_000;

/** The heartbeat writes every two seconds, so it detects a database that refuses writes. */
async function checkDatabase({ db, cluster }: Context) {
  const late = sleep(pingTimeoutMs, "The database is not responding.", { ref: false });
  const answer = db.ping().then(
    () => cluster.problem,
    (error: unknown) => explainOutage(error) ?? "The database is not responding.",
  );
  const problem = await Promise.race([answer, late]);
  const { dialect } = db;
  return problem === undefined ? { ready: true, dialect } : { ready: false, dialect, problem };
}
