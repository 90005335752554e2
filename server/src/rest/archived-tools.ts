import { archivedTool, pageQuery } from "@toolhost/contract";
import { z } from "zod";
import { deleteArchivedTool, getArchivedTools, restoreArchivedTool } from "#core/catalog";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Tools";

const params = z.object({ name: z.string().meta({ description: "The tool's name." }) });

/** Lists archived tools, restores them, and deletes them permanently. */
export const archivedToolRoutes = [
  defineRoute({
    method: "get",
    path: "/archived-tools",
    operation: "listArchivedTools",
    tag,
    summary: "List archived tools",
    description: "Returns the archived tools of the workspace whose code is still stored.",
    scope: "tools:write",
    audit: null,
    query: pageQuery,
    status: 200,
    response: z.array(archivedTool),
    handle: async ({ context, caller, query: { limit, cursor }, url }) => {
      const page = { limit, after: idOfCursor(cursor) };
      const { tools, next } = await getArchivedTools(context, caller, page);
      return { body: tools, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/archived-tools/{name}/restore",
    operation: "restoreArchivedTool",
    tag,
    summary: "Restore an archived tool",
    description:
      "The tool can be found and run again, with its name, versions, visibility and installations. A tool of an import stays linked to it. If you archived the tool yourself, its approvals apply as before; otherwise they are withdrawn. Requires the user who archived it, or an admin.",
    scope: "tools:write",
    audit: "tool.unarchive",
    params,
    status: 204,
    response: null,
    errors: ["tool_not_found", "quota_exceeded", "unavailable"],
    handle: async ({ context, caller, params: { name } }) => {
      await restoreArchivedTool(context, caller, name);
      return { body: null };
    },
  }),
  defineRoute({
    method: "delete",
    path: "/archived-tools/{name}",
    operation: "deleteArchivedTool",
    tag,
    summary: "Delete an archived tool permanently",
    description:
      "Deletes its code, versions and approvals, which cannot be undone. Its run records remain. Requires the author of the tool or an admin.",
    scope: "tools:write",
    audit: "tool.delete",
    params,
    status: 204,
    response: null,
    errors: ["tool_not_found", "tool_in_use"],
    handle: async ({ context, caller, params: { name } }) => {
      await deleteArchivedTool(context, caller, name);
      return { body: null };
    },
  }),
];
