/** What pages may read of an answer: how to sign in, and where they stand with the limits. */
const exposed =
  "WWW-Authenticate, Mcp-Session-Id, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy";

const tokens = /^[\w!#$%&'*+.^`|~, -]{1,2000}$/;

/** Lets the page that asked read the answer; that it may ask at all was checked before. */
export function withCors(request: Request, response: Response): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", exposed);
  response.headers.append("vary", "Origin");
  return response;
}

/** Says which methods and headers pages may send: any header, as tools name some of their own. */
export function answerPreflight(request: Request): Response {
  const asked = request.headers.get("access-control-request-headers") ?? "";
  const response = new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": tokens.test(asked) ? asked : "authorization, content-type",
      "access-control-max-age": "7200",
    },
  });
  return withCors(request, response);
}
