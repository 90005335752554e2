import type { MiddlewareHandler } from "hono";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { addressSubject, chargePoints } from "#core/limits";
import { toProblemResponse } from "#rest";
import type { AppEnv } from "#rest";

/** Paths whose responses cost more than a static file. Health checks are exempt. */
const chargedPaths = /^\/(?:api\/|oauth|\.well-known\/|mcp\b|bot\/|openapi\.json|metrics)/;
/** Only refused requests count: monitoring must work while the database, which counts, is unavailable. */
const metricsPath = "/metrics";
/** Paths that authenticate before any other work. */
const authenticatedPaths = /^\/(?:api\/(?:v1|mcp)\b|mcp\b|bot\/)/;

/**
 * Counts requests without a caller against their IP address: before they are served if they have no credential, and after
 * authentication failed if they have one. A valid credential is never refused because of its address.
 */
export function chargeAnonymous(context: Context): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { method, path, raw } = c.req;
    if (isFree(method, path)) return next();
    const { requestId, ip } = c.get("origin");
    const charge = () => chargePoints(context, "anonymous-requests", addressSubject(ip));
    const hasCredential =
      // Chat platforms sign their requests and send all of them from a few addresses.
      path.startsWith("/bot/") || raw.headers.has("authorization") || raw.headers.has("cookie");
    if (path !== metricsPath && (!authenticatedPaths.test(path) || !hasCredential)) {
      await charge();
      return next();
    }
    await next();
    // Requests with a caller are counted for the caller. A 403 or 429 has a caller, even if it was not counted.
    const { status } = c.res;
    if (c.get("limits") !== undefined || status < 400 || status === 403 || status === 429) return;
    try {
      await charge();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      c.res = toProblemResponse(error, requestId);
    }
  };
}

function isFree(method: string, path: string): boolean {
  if (method === "OPTIONS") return true;
  const isRead = method === "GET" || method === "HEAD";
  return isRead && !chargedPaths.test(path);
}
