import { searchResults, skill } from "@toolhost/contract";
import { z } from "zod";
import { getSkill, searchTools } from "#core/catalog";
import { defineRoute } from "./route.ts";

const tag = "Skills";
const query = z.string().trim().min(1).max(2_000);

/** Documents tools for agents and finds them by meaning. */
export const skillRoutes = [
  defineRoute({
    method: "get",
    path: "/skill/{toolName}",
    otherForms: ["text/markdown"],
    tag,
    summary: "Get a tool's documentation",
    description: "Markdown, as an Agent Skill; with `format=json` the same with its metadata.",
    scope: "mcp:read",
    audit: null,
    params: z.object({ toolName: z.string().meta({ description: "The tool's name." }) }),
    query: z.object({ format: z.enum(["markdown", "json"]).default("markdown") }),
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
    tag,
    summary: "Find tools by what they do",
    scope: "mcp:read",
    audit: null,
    query: z.object({
      q: z
        .union([query.transform((one) => [one]), z.array(query).max(10)])
        .optional()
        .meta({
          description: "What a tool should do. May be repeated; without it all are listed.",
        }),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(50)
        .default(5)
        .meta({ description: "Matches for each query." }),
    }),
    status: 200,
    response: searchResults,
    handle: async ({ context, caller, query: { q, limit } }) => ({
      body: await searchTools(context, caller, q ?? [], limit),
    }),
  }),
];
