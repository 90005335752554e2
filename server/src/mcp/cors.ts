/** Response headers that pages can read: how to sign in, and the state of the limits. */
const exposedHeaders =
  "WWW-Authenticate, Mcp-Session-Id, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy";

const tokens = /^[\w!#$%&'*+.^`|~, -]{1,2000}$/;

/** Lets the requesting page read the response. `checkSource` has checked its origin. */
export function withCors(request: Request, response: Response): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", exposedHeaders);
  response.headers.append("vary", "Origin");
  return response;
}

/** Allows any request header, because tools define their own `Mcp-Param-` headers. */
export function preflightResponse(request: Request): Response {
  const requested = request.headers.get("access-control-request-headers") ?? "";
  const response = new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": tokens.test(requested)
        ? requested
        : "authorization, content-type",
      "access-control-max-age": "7200",
    },
  });
  return withCors(request, response);
}
