import { z } from "zod";
import { jsonObject, outputSchema, tool, toolDetail } from "./tool.ts";

/** A search result, with a score from 0 to 1. */
export const toolMatch = tool.extend({ score: z.number() }).meta({ id: "ToolMatch" });
export type ToolMatch = z.infer<typeof toolMatch>;

/** Response of `GET /skills/search`: the best matches for each query, best first. */
export const searchResults = z
  .object({ results: z.array(z.object({ query: z.string(), matches: z.array(toolMatch) })) })
  .meta({ id: "SearchResults" });
export type SearchResults = z.infer<typeof searchResults>;

/** Response of `GET /skill/:toolName?format=json`. */
export const skill = z
  .object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    version: z.int(),
    documentation: z.string(),
    inputSchema: jsonObject,
    outputSchema,
    fileFields: z.array(z.string()),
    confirm: tool.shape.confirm,
    credentials: tool.shape.credentials,
    examples: toolDetail.shape.examples,
    toolUrl: z.url(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Skill", description: "A tool's documentation with its metadata." });
export type Skill = z.infer<typeof skill>;
