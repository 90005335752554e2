import { toolActivity, toolActivityQuery } from "@toolhost/contract";
import { z } from "zod";
import { getToolActivity } from "#core/runs";
import { defineRoute } from "./route.ts";

/** What went on lately, tool by tool. */
export const activityRoutes = [
  defineRoute({
    method: "get",
    path: "/tool-activity",
    tag: "Runs",
    summary: "Get the latest runs of your tools",
    description: "At most eight of each tool, newest first. Tools that never ran are left out.",
    scope: "mcp:read",
    audit: null,
    query: toolActivityQuery,
    status: 200,
    response: z.array(toolActivity),
    handle: async ({ context, caller, query }) => ({
      body: await getToolActivity(context, caller, query.toolName),
    }),
  }),
];
