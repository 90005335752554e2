import { runStats, runStatsQuery } from "@toolhost/contract";
import { getRunStats } from "#core/stats";
import { defineRoute } from "./route.ts";

/** Figures of runs. */
export const runStatsRoutes = [
  defineRoute({
    method: "get",
    path: "/run-stats",
    operation: "getRunStats",
    tag: "Runs",
    summary: "Get figures of runs",
    description:
      "Counts the runs that you can see and that have ended, by the time of their creation and without runs of drafts. With the scope `audit:read`, sums contain all runs of the workspace; tools that you cannot see have no name in them.",
    scope: "mcp:read",
    audit: null,
    query: runStatsQuery,
    status: 200,
    response: runStats,
    handle: async ({ context, caller, query }) => ({
      body: await getRunStats(context, caller, query),
    }),
  }),
];
