import { Hono } from "hono";
import type { Context as HonoContext } from "hono";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { mcpPaths } from "#core/identity";
import type { AppEnv } from "#rest";
import { createRecheck } from "#rest";
import { authenticate } from "./authenticate.ts";
import { preflightResponse, withCors } from "./cors.ts";
import { createEndpoint } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import { eventStreamType } from "./event-stream.ts";
import { checkSource, endpointOf } from "./check-source.ts";
import { lookAhead } from "./look-ahead.ts";
import { errorOf } from "./message.ts";
import { createSseTransport } from "./sse-transport.ts";
import { productSurface } from "./product-surface.ts";
import { jsonResponse } from "./post-request.ts";
import { toErrorResponse } from "./error-response.ts";
import { oldestRevision } from "./revisions.ts";
import { RpcError } from "./rpc-error.ts";
import { servePost } from "./streamable.ts";
import type { Surface } from "./surface.ts";

type RouteContext = HonoContext<AppEnv>;

/** A path of the endpoint, with its methods and its authentication. */
type Route = {
  path: string;
  /** Serves only the HTTP+SSE transport on GET, whichever revision the client names. */
  isSseOnly?: boolean;
  surface: Surface;
  authenticate: (c: RouteContext) => Promise<Caller>;
};

/**
 * Addresses of the HTTP+SSE transport alone, for clients that name a newer revision although they use it. The first is below the
 * address of the resource, as clients require that sign in (RFC 9728, section 3.3); others expect the second.
 */
const ssePaths = ["/api/mcp/sse", "/sse"];

/** The MCP endpoint under all of its paths. */
export async function createMcp(context: Context): Promise<Hono<AppEnv>> {
  const app = new Hono<AppEnv>();
  const authenticateCaller = async (c: RouteContext) => {
    const caller = await authenticate(context, c.req.raw, c.get("origin"));
    c.set("userId", caller.userId);
    const recheck = createRecheck(() => authenticate(context, c.req.raw, c.get("origin")));
    return { ...caller, recheck };
  };
  for (const path of mcpPaths) {
    if (path !== "")
      mount(app, context, { path, surface: productSurface, authenticate: authenticateCaller });
  }
  for (const path of ssePaths) {
    const surface = productSurface;
    mount(app, context, { path, isSseOnly: true, surface, authenticate: authenticateCaller });
  }
  if (context.config.CONFORMANCE) {
    // The fixtures are test code, so only this setting loads them.
    const { anonymousCaller, conformanceSurface } =
      await import("../../testing/conformance/index.ts");
    mount(app, context, {
      path: "/conformance/mcp",
      surface: conformanceSurface,
      authenticate: async (c) => anonymousCaller(c.get("origin")),
    });
  }
  const endpoint = createEndpoint(context, productSurface);
  // Some clients use only the root of the URL that they were configured with.
  app.on(["POST", "OPTIONS"], "/", (c, next) => {
    if (endpointOf(context.config, c.req.raw.headers) === "base") return next();
    const route = { path: "/", surface: productSurface, authenticate: authenticateCaller };
    return serve(context, c, route, () => post(endpoint, c, route));
  });
  return app;
}

/** Serves the transports at one address. */
function mount(app: Hono<AppEnv>, context: Context, route: Route): void {
  const { path, surface } = route;
  const endpoint = createEndpoint(context, surface);
  const sse = createSseTransport(endpoint);
  const messagesPath = `${path}/messages`;
  app.all(path, (c) =>
    serve(context, c, route, async () => {
      if (c.req.method === "POST") return post(endpoint, c, route);
      if (!opensSseStream(c, route)) return rejectMethod();
      const caller = await route.authenticate(c);
      const reauthenticate = () => route.authenticate(c);
      return sse.open({ caller, path: messagesPath, authenticate: reauthenticate });
    }),
  );
  app.all(messagesPath, (c) =>
    serve(context, c, route, async () => {
      if (c.req.method !== "POST") return rejectMethod("POST");
      const caller = await route.authenticate(c);
      const message = { request: c.req.raw, caller, noteLimits: noteLimitsOf(c) };
      return sse.receive(message, c.req.query("sessionId") ?? "");
    }),
  );
}

async function post(endpoint: Endpoint, c: RouteContext, route: Route): Promise<Response> {
  const request = c.req.raw;
  const early = lookAhead(endpoint.context, request);
  const caller = await route.authenticate(c);
  const { outgoing } = c.env;
  return servePost(endpoint, { request, outgoing, caller, noteLimits: noteLimitsOf(c), early });
}

/** Checks the source of a request, handles CORS, and converts errors to JSON-RPC errors. */
async function serve(
  context: Context,
  c: RouteContext,
  { path }: Route,
  respond: () => Promise<Response>,
): Promise<Response> {
  c.set("route", path === "/" ? mcpPaths[0] : path);
  const request = c.req.raw;
  try {
    checkSource(context.config, request.headers);
    if (request.method === "OPTIONS") return preflightResponse(request);
    return withCors(request, await respond());
  } catch (error) {
    if (error instanceof RpcError) {
      return withCors(request, jsonResponse(errorOf(null, error), error.httpStatus ?? 400));
    }
    if (!(error instanceof ServiceError)) throw error;
    const { requestId } = c.get("origin");
    return withCors(request, toErrorResponse(context, error, { request, path, requestId }));
  }
}

/** Clients of later revisions name theirs in a header; their GET streams are not supported. */
function opensSseStream(c: RouteContext, { isSseOnly = false }: Route): boolean {
  const revision = c.req.header("mcp-protocol-version");
  const isSse = isSseOnly || revision === undefined || revision === oldestRevision;
  return (
    c.req.method === "GET" && isSse && (c.req.header("accept") ?? "").includes(eventStreamType)
  );
}

function rejectMethod(allow = "GET, POST, OPTIONS"): never {
  throw new ServiceError("method_not_allowed", `Method not allowed. Allowed methods: ${allow}.`, {
    headers: { allow },
  });
}

function noteLimitsOf(c: RouteContext) {
  return (state: NonNullable<AppEnv["Variables"]["limits"]>) =>
    c.set("limits", [...(c.get("limits") ?? []), ...state]);
}
