import { toolActivity, toolActivityQuery } from "@toolhost/contract";
import { z } from "zod";
import { getToolActivity } from "#core/runs";
import { defineRoute } from "./route.ts";

/** Recent runs, by tool. */
export const activityRoutes = [
  defineRoute({
    method: "get",
    path: "/tool-activity",
    operation: "getToolActivity",
    tag: "Runs",
    summary: "Get the latest runs of each tool",
    description:
      "Returns at most eight runs of each tool that you can see, newest first. Tools without runs are left out.",
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
