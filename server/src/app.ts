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

/** What people and apps send to sign in is short, and the libraries that read it look at it more than once. */
const maxFormBytes = 64 * 1024;

/** The whole application: every door, and what operators look at. */
export async function createApp(
  context: Context,
  metrics: Metrics,
  loop: LoopWatch,
): Promise<Hono<Door>> {
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
  app.route("/", await createMcp(context));
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

/** Gives each request an ID, and sees to the headers of its response and to what is known of it afterwards. */
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
    // A replay carries the id of the request that it answers again.
    if (!c.res.headers.has("x-request-id")) c.res.headers.set("x-request-id", origin.requestId);
    c.res.headers.set("x-content-type-options", "nosniff");
    for (const [name, value] of Object.entries(rateLimitHeaders(c.get("limits") ?? []))) {
      // A refusal tells of the limit that was reached.
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

/** The sign-in library reads bodies of any size, so it is given one that was measured. */
async function withBoundedBody(request: Request, limitBytes: number): Promise<Request> {
  const { url, method, headers } = request;
  if (method === "GET" || method === "HEAD") return request;
  const body = await readBytes(request, limitBytes);
  return new Request(url, { method, headers, ...(body.length === 0 ? {} : { body }) });
}

/** What the caller is told of an error. Only a `ServiceError` speaks for itself. */
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
    context.log.warn({ err: error, requestId }, "the database could not serve a request");
    return new ServiceError("unavailable", outage, { retryAfterSeconds: 2 });
  }
  context.log.error({ err: error, requestId, method: c.req.method }, "a request failed");
  return new ServiceError("internal", `Something went wrong. Report it with the id ${requestId}.`);
}

/** Anybody may ask, so those who ask at the same time share one look at the database and the sandbox. */
function shareReadiness(context: Context): () => Promise<Response> {
  let underWay: Promise<Response> | undefined;
  return async () => {
    underWay ??= checkReadiness(context).finally(() => (underWay = undefined));
    return (await underWay).clone();
  };
}

/** 200 when runs can be taken, else 503 naming what does not answer. */
async function checkReadiness(context: Context): Promise<Response> {
  const [database, sandbox] = await Promise.all([checkDatabase(context), context.sandbox.check()]);
  const isReady = database.ready && sandbox.ready && !context.cluster.isStopping;
  return Response.json(
    { status: isReady ? "ready" : "not_ready", database, sandbox },
    { status: isReady ? 200 : 503, headers: isReady ? {} : { "retry-after": "5" } },
  );
}

/** Whoever asks whether the service is ready does not wait for long. */
const pingTimeoutMs = 2_000;

/** The heartbeat writes every two seconds, so it knows whether the database takes writes. */
async function checkDatabase({ db, cluster }: Context) {
  const late = sleep(pingTimeoutMs, "The database does not answer.", { ref: false });
  const answer = db.ping().then(
    () => cluster.problem,
    (error: unknown) => explainOutage(error) ?? "The database does not answer.",
  );
  const problem = await Promise.race([answer, late]);
  const { dialect } = db;
  return problem === undefined ? { ready: true, dialect } : { ready: false, dialect, problem };
}
