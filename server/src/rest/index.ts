import { Hono } from "hono";
import type { HttpBindings } from "@hono/node-server";
import type { RequestOrigin } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import type { LimitState } from "#core/limits";
import { accountRoutes } from "./account.ts";
import { alertRoutes } from "./alerts.ts";
import { archivedToolRoutes } from "./archived-tools.ts";
import { auditRoutes } from "./audit.ts";
import { approvalRoutes } from "./approvals.ts";
import { bridgeRoutes } from "./bridges.ts";
import { chatRoutes } from "./chat.ts";
import { connectedAppRoutes } from "./connected-apps.ts";
import { credentialRoutes } from "./credentials.ts";
import { downloadPath, serveDownload } from "./download-link.ts";
import { draftRoutes } from "./drafts.ts";
import { requestDraftRoutes } from "./request-drafts.ts";
import { fileRoutes } from "./files.ts";
import { allowOrigins } from "./cors.ts";
import { createInstallResponse, installPath } from "./install.ts";
import { toCompressed } from "./compress.ts";
import { describeApi } from "./openapi.ts";
import { importRoutes } from "./imports.ts";
import { packageRoutes } from "./packages.ts";
import { peopleRoutes } from "./people.ts";
import { toProblemResponse } from "./problem.ts";
import { listRoutes } from "./route.ts";
import { runBatchRoutes } from "./run-batches.ts";
import type { Route } from "./route.ts";
import { runStatsRoutes } from "./run-stats.ts";
import { runRoutes } from "./runs.ts";
import { serveRoute } from "./serve-route.ts";
import { skillRoutes } from "./skills.ts";
import { activityRoutes } from "./tool-activity.ts";
import { credentialRequestRoutes } from "./credential-requests.ts";
import { toolListRoutes } from "./tool-lists.ts";
import { installRoutes } from "./installs.ts";
import { toolRoutes } from "./tools.ts";
import { webhookRoutes } from "./webhooks.ts";
import { workspaceSettingsRoutes } from "./workspace-settings.ts";
import { workspaceRoutes } from "./workspaces.ts";
import { serveUpload, uploadPath, uploadCors } from "./upload-url.ts";

export { bearerToken } from "./bearer-token.ts";
export { toProblem, toProblemResponse } from "./problem.ts";
export { readBytes, readCallersBytes, subjectOf } from "./read-body.ts";
export { createRecheck } from "./recheck.ts";

/** All REST routes. */
export const routes: readonly Route[] = listRoutes(
  toolRoutes,
  archivedToolRoutes,
  installRoutes,
  draftRoutes,
  requestDraftRoutes,
  packageRoutes,
  bridgeRoutes,
  importRoutes,
  runRoutes,
  runBatchRoutes,
  activityRoutes,
  runStatsRoutes,
  toolListRoutes,
  credentialRequestRoutes,
  skillRoutes,
  fileRoutes,
  credentialRoutes,
  approvalRoutes,
  accountRoutes,
  auditRoutes,
  peopleRoutes,
  workspaceRoutes,
  workspaceSettingsRoutes,
  chatRoutes,
  webhookRoutes,
  alertRoutes,
  connectedAppRoutes,
);

/** The Hono environment of every interface. The application sets `origin` before an interface handles the request. */
export type AppEnv = {
  Bindings: HttpBindings;
  Variables: {
    origin: RequestOrigin;
    route: string;
    limits: LimitState | undefined;
    /** The user who made the request, once authenticated. */
    userId: string | undefined;
  };
};

/** REST version 1, to be mounted at `/api/v1`. */
export function createRest(context: Context): Hono<AppEnv> {
  const rest = new Hono<AppEnv>();
  rest.use(allowOrigins(context));
  const byPath = Map.groupBy(routes.toSorted(byPrecedence), (route) => route.path);
  for (const [path, sharing] of byPath) {
    for (const route of sharing) {
      rest.on(route.method.toUpperCase(), toHonoPath(path), (c) => {
        c.set("route", path);
        return serveRoute(context, route, {
          request: c.req.raw,
          url: new URL(c.req.url),
          params: c.req.param(),
          origin: c.get("origin"),
          noteUser: (userId) => c.set("userId", userId),
          noteLimits: (state) => c.set("limits", [...(c.get("limits") ?? []), ...state]),
        });
      });
    }
    const methods = sharing.map(({ method }) => method);
    refuseOtherMethods(rest, path, methods);
  }
  rest.put(toHonoPath(uploadPath), (c) => {
    c.set("route", uploadPath);
    const token = c.req.param("token") ?? "";
    return serveUpload(context, c.req.raw, { token, origin: c.get("origin") });
  });
  rest.get(toHonoPath(downloadPath), (c) => {
    c.set("route", downloadPath);
    const token = c.req.param("token") ?? "";
    return serveDownload(context, c.req.raw, { token, origin: c.get("origin") });
  });
  // Built on the first request, as it takes as long as the rest of the startup.
  let description: string | undefined;
  rest.get("/openapi.json", (c) => {
    description ??= JSON.stringify(describeApi(routes, context.config.baseUrl));
    const headers = { "content-type": "application/json" };
    const document = { status: 200, headers, body: description };
    return toCompressed(document, c.req.header("accept-encoding") ?? null);
  });
  const respondInstall = createInstallResponse(context);
  rest.get(installPath, (c) => {
    c.set("route", installPath);
    return respondInstall();
  });
  refuseOtherMethods(rest, uploadPath, ["put"]);
  refuseOtherMethods(rest, downloadPath, ["get"]);
  refuseOtherMethods(rest, "/openapi.json", ["get"]);
  refuseOtherMethods(rest, installPath, ["get"]);
  return rest;
}

/** As in OpenAPI, a path that one route names is not matched by the parameters of other routes. */
function byPrecedence(one: Route, other: Route): number {
  const [left, right] = [orderOf(one), orderOf(other)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Sorts parameters after all names. */
function orderOf({ path }: Route): string {
  return path.replaceAll(/\{\w+\}/g, "\uffff");
}

function refuseOtherMethods(rest: Hono<AppEnv>, path: string, methods: readonly string[]): void {
  const names = methods.map((method) => method.toUpperCase());
  if (names.includes("GET")) names.push("HEAD");
  const allow = [...names, "OPTIONS"].join(", ");
  rest.all(toHonoPath(path), (c) => {
    if (c.req.method === "OPTIONS") {
      const cors = path === uploadPath ? uploadCors : {};
      return new Response(null, { status: 204, headers: { allow, ...cors } });
    }
    const error = new ServiceError("method_not_allowed", `This path supports ${allow}.`);
    const response = toProblemResponse(error, c.get("origin").requestId);
    response.headers.set("allow", allow);
    return response;
  });
}

function toHonoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
