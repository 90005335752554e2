import type { MiddlewareHandler } from "hono";
import type { Context } from "#core/context";
import type { AppEnv } from "#rest";
import { httpRequest, httpResponse } from "#telemetry";

/** Probes come every few seconds and say nothing about requests of users. */
const untraced = new Set(["/healthz", "/readyz", "/metrics"]);

/** Traces each request, until its response starts. */
export function traceRequests({ tracing, config }: Context): MiddlewareHandler<AppEnv> {
  const scheme = new URL(config.baseUrl).protocol.slice(0, -1);
  return async (c, next) => {
    const { method, path } = c.req;
    if (untraced.has(path)) return next();
    const { requestId, ip } = c.get("origin");
    const traceparent = c.req.header("traceparent");
    const tracestate = c.req.header("tracestate");
    const received = { traceparent, tracestate, ip };
    const span = tracing.receive(httpRequest, { method, scheme, requestId }, received);
    try {
      await tracing.within(span, next);
      const { outgoing } = c.env;
      span.update(httpResponse, {
        method,
        route: routeOf(c.get("route"), path),
        // The authorization server library has written its response itself.
        status: outgoing.headersSent ? outgoing.statusCode : c.res.status,
      });
    } finally {
      span.end();
    }
  };
}

/** The whole path with placeholders. Routes of REST are relative, and other requests have none. */
function routeOf(route: string, path: string): string | undefined {
  if (!route.startsWith("/")) return undefined;
  return path.startsWith("/api/v1/") ? `/api/v1${route}` : route;
}
