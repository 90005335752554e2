import { z } from "zod";
import { jsonObject } from "./json-object.ts";
import { outputSchema, tool, toolDetail } from "./tool.ts";

const matchedFields = ["title", "description", "parameters", "details"] as const;

/** How a word of a tool stands for what was searched. */
const matchKinds = [
  "word",
  "synonym",
  "translation",
  "phrase",
  "value",
  "similar",
  "joined",
  "name",
  "learned",
  "meaning",
] as const;

/** Why a search found a tool: a part of the query, and what it matches. */
const matchReason = z
  .object({
    word: z
      .string()
      .meta({ description: "A word, phrase or value of the query; for `meaning`, the query." }),
    matched: z.string().meta({
      description: "The word of the tool that it matches; for `meaning`, the title of the tool.",
    }),
    through: z.enum(matchKinds).meta({
      description:
        "How they match: the same `word` in any form, a `synonym` or `translation` of it, what a `phrase` means, what takes such a `value`, a `similar` word such as a correction or completion, a word `joined` from others or split, or the exact `name`. `learned`: people who searched for the word ran the tool. `meaning`: the embedding model finds the query and the tool similar.",
    }),
    fields: z.array(z.enum(matchedFields)).meta({
      description:
        "Where the tool has it: title or name, description, names of parameters, or details such as descriptions of parameters, examples and outputs. Empty for `learned` and `meaning`.",
    }),
  })
  .meta({ id: "MatchReason" });
export type MatchReason = z.infer<typeof matchReason>;

/** A search result, with a score from 0 to 1. */
export const toolMatch = tool
  .extend({
    score: z.number(),
    reasons: z.array(matchReason).max(17).optional().meta({
      description: "Why the search found the tool, most important first. Only with `explain=1`.",
    }),
  })
  .meta({ id: "ToolMatch" });
export type ToolMatch = z.infer<typeof toolMatch>;

/** Response of `GET /skills/search`: the best matches for each query, best first. */
export const searchResults = z
  .object({ results: z.array(z.object({ query: z.string(), matches: z.array(toolMatch) })) })
  .meta({ id: "SearchResults" });
export type SearchResults = z.infer<typeof searchResults>;

/** What several people searched for without running a tool afterwards, in `GET /unmet-searches`. */
export const unmetSearch = z
  .object({
    words: z.string().meta({ description: "The words of the search." }),
    people: z.int().meta({ description: "How many people searched for them." }),
    hasMatches: z.boolean().meta({
      description: "Whether tools were found, but none of them was run.",
    }),
  })
  .meta({ id: "UnmetSearch" });
export type UnmetSearch = z.infer<typeof unmetSearch>;

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
