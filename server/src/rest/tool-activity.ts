import { toolActivity } from "@toolhost/contract";
import { z } from "zod";
import { getToolActivity } from "#core/runs";
import { defineRoute } from "./route.ts";

const name = z.string().max(64);

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
    query: z.object({
      toolName: z
        .union([name.transform((one) => [one]), z.array(name).max(50)])
        .optional()
        .meta({
          description:
            "Tools to tell of, at most 50. May be repeated; without it those that ran lately.",
        }),
    }),
    status: 200,
    response: z.array(toolActivity),
    handle: async ({ context, caller, query }) => ({
      body: await getToolActivity(context, caller, query.toolName),
    }),
  }),
];
