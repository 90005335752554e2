import {
  searchResults,
  searchToolsQuery,
  skill,
  skillQuery,
  unmetSearch,
} from "@toolhost/contract";
import { z } from "zod";
import { getSkill, getUnmetSearches, searchTools } from "#core/catalog";
import { defineRoute } from "./route.ts";

const tag = "Skills";

/** Documentation of tools for agents, and semantic search. */
export const skillRoutes = [
  defineRoute({
    method: "get",
    path: "/skill/{toolName}",
    operation: "getToolDocumentation",
    otherMediaTypes: ["text/markdown"],
    tag,
    summary: "Get the documentation of a tool",
    description:
      "Returns an Agent Skill in Markdown, or with `format=json` the same with its metadata.",
    scope: "mcp:read",
    audit: null,
    params: z.object({ toolName: z.string().meta({ description: "The tool's name." }) }),
    query: skillQuery,
    status: 200,
    response: skill,
    errors: ["tool_not_found"],
    handle: async ({ context, caller, params, query: { format } }) => {
      const found = await getSkill(context, caller, params.toolName);
      return format === "json"
        ? { body: found }
        : { body: found.documentation, contentType: "text/markdown; charset=utf-8" };
    },
  }),
  defineRoute({
    method: "get",
    path: "/skills/search",
    operation: "searchTools",
    tag,
    summary: "Search for tools by what they do",
    scope: "mcp:read",
    audit: null,
    query: searchToolsQuery,
    status: 200,
    response: searchResults,
    handle: async ({ context, caller, query: { q, limit, explain } }) => ({
      body: await searchTools(context, caller, q ?? [], {
        limit,
        isExplained: explain,
        isLearnedFrom: true,
      }),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/unmet-searches",
    tag,
    summary: "List searches that led to no run",
    operation: "listUnmetSearches",
    description:
      "Returns what at least three people of the workspace searched for without running a tool afterwards, most people first, at most 50. Empty unless the workspace learns from searches (`learnFromSearches` in its settings).",
    scope: "tools:write",
    audit: null,
    status: 200,
    response: z.array(unmetSearch),
    handle: async ({ context, caller }) => ({ body: await getUnmetSearches(context, caller) }),
  }),
];
