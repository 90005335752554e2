import { z } from "zod";
import { pageQuery } from "./query.ts";
import { credentialName, toolTitle } from "./tool.ts";

/** The number of items that one request creates tools of. */
export const maxItemsPerRequest = 50;

/** An operation of a document, or a tool of an MCP server. */
export const importItem = z
  .object({
    key: z.string().meta({
      description: "`GET /path` for an operation, the tool's name for an MCP server.",
    }),
    hash: z.string().meta({
      description: "Identifies what a tool is made from. Empty if it cannot be imported.",
    }),
    title: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    isDeprecated: z.boolean(),
    schemaBytes: z.int().meta({ description: "Approximate size of its input schema." }),
    security: z.array(z.array(z.string())).meta({
      description:
        "The ways to authenticate of which one is needed: names of security schemes that are used together. An empty list needs no credentials.",
    }),
    scopes: z.record(z.string(), z.array(z.string())).meta({
      description:
        "The OAuth scopes that it needs, by security scheme, where the document says so.",
    }),
    isNew: z.boolean().meta({
      description: "A check found it in the last 14 days, and it has no tool or draft.",
    }),
    isChanged: z.boolean().meta({ description: "Its tool differs from it as of the last check." }),
    isOnHold: z.boolean().meta({
      description: "Runs of its tool are refused until the change is reviewed.",
    }),
    problem: z.string().nullable().meta({ description: "Why it cannot be imported." }),
    toolName: z.string().nullable().meta({
      description:
        "The tool that was created from it, unless it is archived or not visible to you.",
    }),
    draftId: z.string().nullable().meta({
      description: "Your latest draft of a new tool that was created from it.",
    }),
  })
  .meta({ id: "ImportItem" });
export type ImportItem = z.infer<typeof importItem>;

const itemStates = ["tool", "draft", "none", "changed", "on_hold", "new"] as const;

/** Query of `GET /imports/{id}/items`. */
export const listImportItemsQuery = pageQuery.extend({
  q: z.string().trim().max(200).optional().meta({
    description:
      "Filters by words in what the document or server says: name, path, title, description and tags. An exact name or path is first, then words that start with those of the query.",
  }),
  tag: z.string().max(200).optional().meta({ description: "Filters by tag." }),
  imported: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .meta({ description: "`true` lists only items with a tool, `false` only those without." }),
  state: z.enum(itemStates).optional().meta({
    description:
      "Filters by state: with a tool, with a draft of yours and no tool, with neither, changed, on hold, or new.",
  }),
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).optional().meta({
    description: "Filters operations by their HTTP method.",
  }),
});

const baseUrl = z.url({ protocol: /^https?$/ }).max(2_048);

const keys = z
  .array(z.string().min(1).max(1_000))
  .min(1)
  .max(maxItemsPerRequest)
  .refine((all) => new Set(all).size === all.length, "must not repeat a key");

/** In requests that create tools or drafts. */
export const publish = z.boolean().default(false).meta({
  description:
    "`true` publishes tools. `false` creates drafts, which only you see until you publish them.",
});

/** How an API authenticates, instead of what its document declares. */
const importAuthentication = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("none") }),
    z.strictObject({ kind: z.literal("bearer"), credential: credentialName }),
    z.strictObject({
      kind: z.literal("api_key"),
      in: z.enum(["header", "query"]),
      name: z
        .string()
        .min(1)
        .max(200)
        .meta({ description: "The name of the header or query parameter." }),
      credential: credentialName,
    }),
    z.strictObject({
      kind: z.literal("basic"),
      userCredential: credentialName,
      passwordCredential: credentialName,
    }),
  ])
  .refine(
    (chosen) =>
      chosen.kind !== "api_key" ||
      chosen.in !== "header" ||
      /^[\w!#$%&'*+.^`|~-]+$/.test(chosen.name),
    { message: "must be the name of a header", path: ["name"] },
  )
  .meta({ id: "ImportAuthentication" });
export type ImportAuthentication = z.infer<typeof importAuthentication>;

/** Body of `POST /imports/{id}/tools`. */
export const createImportedToolsInput = z
  .strictObject({
    keys,
    hashes: z.array(z.string().max(100)).max(maxItemsPerRequest).optional().meta({
      description:
        "The `hash` of each item that you reviewed, in the order of `keys`. Items that changed since are refused.",
    }),
    publish,
    allowDuplicates: z.boolean().default(false).meta({
      description:
        "Creates another tool or draft of items that already have one. Otherwise these are refused.",
    }),
    serverUrl: baseUrl.optional().meta({
      description: "The base URL of the API. Required if the document states none.",
    }),
    credentials: z
      .record(z.string().max(200), z.array(credentialName).min(1).max(2))
      .default({})
      .meta({
        description:
          "Names of credentials by security scheme, instead of the defaults. Of several ways to authenticate, the one whose schemes are all named is used.",
      }),
    authentication: importAuthentication.optional().meta({
      description:
        "How the API authenticates, instead of what the document declares. Some documents declare nothing.",
    }),
    visibility: z.enum(["private", "workspace"]).default("workspace"),
    titles: z.record(z.string().min(1).max(1_000), toolTitle).default({}).meta({
      description:
        "Titles of the tools by key, instead of those of the items. Later changes of an item keep them.",
    }),
  })
  .refine(({ keys: all, hashes }) => hashes === undefined || hashes.length === all.length, {
    message: "must have one element for each of keys",
    path: ["hashes"],
  })
  .meta({ id: "CreateImportedToolsInput" });
export type CreateImportedToolsInput = z.infer<typeof createImportedToolsInput>;

/** Body of `POST /imports/{id}/drafts/publish`. */
export const publishImportedDraftsInput = z
  .strictObject({
    drafts: z
      .array(
        z.strictObject({
          id: z.string().max(64),
          revision: z.int().min(1).meta({ description: "The latest revision that you loaded." }),
        }),
      )
      .min(1)
      .max(maxItemsPerRequest)
      .refine(
        (all) => new Set(all.map(({ id }) => id)).size === all.length,
        "must not repeat a draft",
      ),
  })
  .meta({ id: "PublishImportedDraftsInput" });
export type PublishImportedDraftsInput = z.infer<typeof publishImportedDraftsInput>;

/** One item of the responses of `POST /imports/{id}/tools` and `POST /imports/{id}/changes`. */
export const importedTool = z
  .object({
    key: z.string(),
    toolName: z.string().nullable().meta({
      description: "The published tool. With a problem: the tool that the item already has.",
    }),
    draftId: z.string().nullable().meta({
      description:
        "The draft, if it was not published. With a problem: your draft that the item already has.",
    }),
    notes: z.array(z.string()).meta({ description: "What differs from the document or server." }),
    problem: z.string().nullable().meta({
      description: "Why nothing was created for this item.",
    }),
  })
  .meta({ id: "ImportedTool" });
export type ImportedTool = z.infer<typeof importedTool>;
