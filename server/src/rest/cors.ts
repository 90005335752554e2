import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { Context } from "#core/context";
import { uploadPath } from "./upload-url.ts";

const uploadPrefix = `/api/v1${uploadPath.slice(0, uploadPath.indexOf("{"))}`;

/** Request headers that the routes read, besides those that any page may send. */
const requestHeaders = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "If-Range",
  "Last-Event-ID",
  "Prefer",
  "Published-From",
  "Range",
  "X-Workspace-Id",
];

/** Response headers that pages can read. */
const exposedHeaders = [
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Idempotent-Replay",
  "Link",
  "Location",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-Id",
  "X-Total-Count",
  "X-Total-Count-Relation",
];

/**
 * Lets pages of the configured origins use the API with an API key (Fetch standard, section 3.3). Browsers do not send the session
 * cookie, because credentials are not allowed. Upload URLs allow pages of any origin themselves.
 */
export function allowOrigins({ config }: Pick<Context, "config">): MiddlewareHandler {
  const origins = config.CORS_ALLOWED_ORIGINS;
  if (origins.length === 0) return async (_, next) => next();
  const respond = cors({
    origin: origins.includes("*") ? "*" : origins,
    allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowHeaders: requestHeaders,
    exposeHeaders: exposedHeaders,
    maxAge: 7_200,
  });
  return async (c, next) => (c.req.path.startsWith(uploadPrefix) ? next() : respond(c, next));
}
