import type { MiddlewareHandler } from "hono";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { addressSubject, takePoints } from "#core/limits";
import { toProblemResponse } from "#rest";
import type { Door } from "#rest";

/** Where an answer costs more than a file of the console does. Health checks are not among them. */
const chargedPaths = /^\/(?:api\/|oauth|\.well-known\/|mcp\b|bot\/|openapi\.json|metrics)/;
/** Where a session or token is checked before any other work. */
const authenticatedPaths = /^\/(?:api\/(?:v1|mcp)\b|mcp\b|bot\/)/;

/**
 * Requests without a caller count against their address: at once when they carry no credential, and once they were
 * refused before a caller was found when they do. A valid credential is never refused for its address.
 */
export function chargeAnonymous(context: Context): MiddlewareHandler<Door> {
  return async (c, next) => {
    const { method, path, raw } = c.req;
    if (isFree(method, path)) return next();
    const { requestId, ip } = c.get("origin");
    const charge = () => takePoints(context, "anonymous-requests", addressSubject(ip));
    const hasCredential =
      // Chat platforms sign what they send, all from a few addresses.
      path.startsWith("/bot/") || raw.headers.has("authorization") || raw.headers.has("cookie");
    if (!authenticatedPaths.test(path) || !hasCredential) {
      await charge();
      return next();
    }
    await next();
    // What was counted for a caller is theirs. A 403 names a caller whose request was not counted yet.
    const { status } = c.res;
    if (c.get("limits") !== undefined || status < 400 || status === 403) return;
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
