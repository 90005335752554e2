import { Hono } from "hono";
import type { Context as HonoContext } from "hono";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { mcpPaths } from "#core/identity";
import type { Door } from "#rest";
import { authenticate } from "./authenticate.ts";
import { createClientRequests } from "./client-requests.ts";
import { answerPreflight, withCors } from "./cors.ts";
import type { Endpoint } from "./endpoint.ts";
import { eventStreamType } from "./event-stream.ts";
import { checkSource, endpointOf } from "./guard.ts";
import { errorOf } from "./message.ts";
import { createOldTransport } from "./old-transport.ts";
import { productSurface } from "./product-surface.ts";
import { json } from "./posted.ts";
import { toRefusal } from "./refusal.ts";
import { oldestRevision } from "./revisions.ts";
import { RpcError } from "./rpc-error.ts";
import { servePost } from "./streamable.ts";
import type { Surface } from "./surface.ts";

type DoorContext = HonoContext<Door>;

/** What stands behind an address: what it offers, and who comes in. */
type Entrance = {
  path: string;
  /** Clients come only for the old transport, whatever revision they name. */
  isOldOnly?: boolean;
  surface: Surface;
  authenticate: (c: DoorContext) => Promise<Caller>;
};

/** Where some clients look for the old transport. */
const oldPath = "/sse";

/** The MCP endpoint under all of its paths. */
export async function createMcp(context: Context): Promise<Hono<Door>> {
  const door = new Hono<Door>();
  const known = async (c: DoorContext) => {
    const caller = await authenticate(context, c.req.raw, c.get("origin"));
    c.set("userId", caller.userId);
    return caller;
  };
  for (const path of mcpPaths) {
    if (path !== "") mount(door, context, { path, surface: productSurface, authenticate: known });
  }
  mount(door, context, {
    path: oldPath,
    isOldOnly: true,
    surface: productSurface,
    authenticate: known,
  });
  if (context.config.CONFORMANCE) {
    // The fixtures are test code, which the published package leaves out, so only this setting loads them.
    const { anonymousCaller, conformanceSurface } =
      await import("../../testing/conformance/index.ts");
    mount(door, context, {
      path: "/conformance/mcp",
      surface: conformanceSurface,
      authenticate: async (c) => anonymousCaller(c.get("origin")),
    });
  }
  const endpoint = { context, surface: productSurface, clientRequests: createClientRequests() };
  // Some clients try nothing but the root of what they were given.
  door.on(["POST", "OPTIONS"], "/", (c, next) => {
    if (endpointOf(context.config, c.req.raw.headers) === "base") return next();
    const entrance = { path: "/", surface: productSurface, authenticate: known };
    return serve(context, c, entrance, () => post(endpoint, c, entrance));
  });
  return door;
}

/** Serves the transports at one address. */
function mount(door: Hono<Door>, context: Context, entrance: Entrance): void {
  const { path, surface } = entrance;
  const endpoint: Endpoint = { context, surface, clientRequests: createClientRequests() };
  const old = createOldTransport(endpoint);
  const messagesPath = `${path}/messages`;
  door.all(path, (c) =>
    serve(context, c, entrance, async () => {
      if (c.req.method === "POST") return post(endpoint, c, entrance);
      if (!opensOldStream(c, entrance)) return refuseMethod();
      const caller = await entrance.authenticate(c);
      const reauthenticate = () => entrance.authenticate(c);
      return old.open({ caller, path: messagesPath, authenticate: reauthenticate });
    }),
  );
  door.all(messagesPath, (c) =>
    serve(context, c, entrance, async () => {
      if (c.req.method !== "POST") return refuseMethod("POST");
      const caller = await entrance.authenticate(c);
      const posted = { request: c.req.raw, caller, noteLimits: noteLimitsOf(c) };
      return old.receive(posted, c.req.query("sessionId") ?? "");
    }),
  );
}

async function post(endpoint: Endpoint, c: DoorContext, entrance: Entrance): Promise<Response> {
  const caller = await entrance.authenticate(c);
  const { outgoing } = c.env;
  return servePost(endpoint, { request: c.req.raw, outgoing, caller, noteLimits: noteLimitsOf(c) });
}

/** What every request goes through: the checks of where it comes from, and refusals in a form that clients know. */
async function serve(
  context: Context,
  c: DoorContext,
  { path }: Entrance,
  answer: () => Promise<Response>,
): Promise<Response> {
  c.set("route", path === "/" ? mcpPaths[0] : path);
  const request = c.req.raw;
  try {
    checkSource(context.config, request.headers);
    if (request.method === "OPTIONS") return answerPreflight(request);
    return withCors(request, await answer());
  } catch (error) {
    if (error instanceof RpcError) {
      return withCors(request, json(errorOf(null, error), error.httpStatus ?? 400));
    }
    if (!(error instanceof ServiceError)) throw error;
    const { requestId } = c.get("origin");
    return withCors(request, toRefusal(context, error, { request, path, requestId }));
  }
}

/** Clients of later revisions say which when they ask for a stream, which there is none of. */
function opensOldStream(c: DoorContext, { isOldOnly = false }: Entrance): boolean {
  const revision = c.req.header("mcp-protocol-version");
  const isOld = isOldOnly || revision === undefined || revision === oldestRevision;
  return (
    c.req.method === "GET" && isOld && (c.req.header("accept") ?? "").includes(eventStreamType)
  );
}

function refuseMethod(allow = "GET, POST, OPTIONS"): never {
  throw new ServiceError("method_not_allowed", `Allowed here: ${allow}.`, { headers: { allow } });
}

function noteLimitsOf(c: DoorContext) {
  return (state: NonNullable<Door["Variables"]["limits"]>) =>
    c.set("limits", [...(c.get("limits") ?? []), ...state]);
}
