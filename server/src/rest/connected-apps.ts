import { connectedApp, listOwnedQuery } from "@toolhost/contract";
import { z } from "zod";
import { disconnectApp, listConnectedApps } from "#core/identity";
import { cutPage } from "#lib/page";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

/** The MCP clients that act on behalf of a user. */
export const connectedAppRoutes = [
  defineRoute({
    method: "get",
    path: "/connected-apps",
    operation: "listConnectedApps",
    tag: "Account",
    summary: "List connected apps",
    description:
      "Returns the apps that act on your behalf in all of your workspaces, newest first. Admins can list the apps of all members of the current workspace with `owner=anyone`.",
    scope: "session",
    audit: null,
    query: listOwnedQuery,
    status: 200,
    response: z.array(connectedApp),
    errors: ["forbidden"],
    handle: async ({ context, caller, query: { limit, cursor, owner }, url }) => {
      const page = { limit: limit + 1, after: idOfCursor(cursor), owner };
      const apps = await listConnectedApps(context, caller, page);
      const { shown, next } = cutPage(apps, limit, ({ id }) => id);
      return { body: shown, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "delete",
    path: "/connected-apps/{id}",
    operation: "disconnectApp",
    tag: "Account",
    summary: "Disconnect an app",
    description:
      "Its tokens stop working immediately. Admins can disconnect the apps of all members of the current workspace.",
    scope: "session",
    audit: "connected_app.revoke",
    params: z.object({ id: z.string() }),
    status: 204,
    response: null,
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => {
      await disconnectApp(context, caller, params.id);
      return { body: null };
    },
  }),
];
