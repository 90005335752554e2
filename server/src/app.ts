import { Hono } from "hono";
import type { Context } from "#core/context";
import { ServiceError } from "#core/errors";
import { rateLimitHeaders } from "#core/limits";
import { explainOutage } from "#db";
import { newId } from "#lib/ids";
import { createMetrics, createRest, readBytes, toProblemResponse } from "#rest";
import type { Door } from "#rest";

/** The whole application: every door, and what operators look at. */
export function createApp(context: Context): Hono<Door> {
  const app = new Hono<Door>();
  const metrics = createMetrics(context);
  app.use(async (c, next) => {
    const startedAt = performance.now();
    const origin = { requestId: newId(), ip: c.env.incoming.socket.remoteAddress ?? null };
    c.set("origin", origin);
    c.set("route", "other");
    await next();
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
  });
  app.onError((error, c) => {
    const { requestId } = c.get("origin");
    if (error instanceof ServiceError) {
      if (error.cause !== undefined)
        context.log.debug({ err: error, requestId }, "refused a request");
      return toProblemResponse(error, requestId);
    }
    const outage = explainOutage(error);
    if (outage !== undefined) {
      context.log.warn({ err: error, requestId }, "the database could not serve a request");
      const refusal = new ServiceError("unavailable", outage, { retryAfterSeconds: 2 });
      return toProblemResponse(refusal, requestId);
    }
    context.log.error({ err: error, requestId, method: c.req.method }, "a request failed");
    return toProblemResponse(
      new ServiceError("internal", `Something went wrong. Report it with the id ${requestId}.`),
      requestId,
    );
  });
  app.notFound((c) =>
    toProblemResponse(
      new ServiceError("not_found", "No route has this path."),
      c.get("origin").requestId,
    ),
  );
  app.route("/api/v1", createRest(context));
  app.all("/api/auth/*", async (c) =>
    context.people.handle(await withBoundedBody(c.req.raw, context.config.BODY_MAX_BYTES)),
  );
  app.get("/openapi.json", (c) =>
    app.fetch(new Request(new URL("/api/v1/openapi.json", c.req.url)), c.env),
  );
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", () => checkReadiness(context));
  app.get("/metrics", async () => {
    const { contentType, text } = await metrics.render();
    return new Response(text, { headers: { "content-type": contentType } });
  });
  return app;
}

/** The sign-in library reads bodies of any size, so it is given one that was measured. */
async function withBoundedBody(request: Request, limitBytes: number): Promise<Request> {
  const { url, method, headers } = request;
  if (method === "GET" || method === "HEAD") return request;
  const body = await readBytes(request, limitBytes);
  return new Request(url, { method, headers, ...(body.length === 0 ? {} : { body }) });
}

/** 200 when runs can be taken, else 503 naming what does not answer. */
async function checkReadiness(context: Context): Promise<Response> {
  const database = await context.db.ping().then(
    () => ({ ready: true as const, dialect: context.db.dialect }),
    () => ({ ready: false as const, problem: "The database does not answer." }),
  );
  const sandbox = await context.sandbox.check();
  const isReady = database.ready && sandbox.ready;
  return Response.json(
    { status: isReady ? "ready" : "not_ready", database, sandbox },
    { status: isReady ? 200 : 503, headers: isReady ? {} : { "retry-after": "5" } },
  );
}
