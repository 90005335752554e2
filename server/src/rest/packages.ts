import { newestPackage, newestPackageQuery } from "@toolhost/contract";
import { getNewestPackage } from "#core/catalog";
import { defineRoute } from "./route.ts";

/** The npm packages that a tool can declare. */
export const packageRoutes = [
  defineRoute({
    method: "get",
    path: "/packages/newest",
    operation: "getNewestPackage",
    tag: "Drafts",
    summary: "Get the newest version of an npm package",
    description:
      "Asks the registry that builds use, for a version to write into `source.dependencies`. Counts as a build for the rate limit.",
    scope: "tools:write",
    audit: null,
    query: newestPackageQuery,
    status: 200,
    response: newestPackage,
    errors: ["not_found", "invalid_tool", "unavailable"],
    handle: async ({ context, caller, query: { name }, signal }) => ({
      body: await getNewestPackage(context, caller, name, signal),
    }),
  }),
];
