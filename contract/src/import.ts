import { z } from "zod";
import { pageQuery } from "./query.ts";
import { credentialName, jsonObject } from "./tool.ts";

/** What tools can be imported from. */
const importKinds = ["openapi", "mcp"] as const;
export type ImportKind = (typeof importKinds)[number];

/** The number of items that one request creates tools of. */
export const maxItemsPerRequest = 50;

const httpUrl = z.url({ protocol: /^https?$/ }).max(2_048);
const id = z.string().max(64);

const openApiInput = z.strictObject({
  kind: z.literal("openapi"),
  url: httpUrl.optional().meta({
    description: "The URL of the document, which is read again each day to find changes.",
  }),
  fileId: id
    .optional()
    .meta({ description: "An uploaded file with the document, instead of a URL." }),
});

const mcpInput = z.strictObject({
  kind: z.literal("mcp"),
  url: httpUrl.meta({
    description:
      "The URL of the MCP server. It may contain no secret; `{credential}` in its query stands for the value of the credential.",
  }),
  transport: z.enum(["auto", "http", "sse"]).default("auto").meta({
    description: "`http` is Streamable HTTP, `sse` the older HTTP with SSE. `auto` tries both.",
  }),
  credential: credentialName.nullable().default(null).meta({
    description:
      "The credential that is sent to the server, as a bearer token unless the URL contains `{credential}`. Null if it needs none.",
  }),
});

/** Body of `POST /imports`. */
export const createImportInput = z
  .discriminatedUnion("kind", [openApiInput, mcpInput])
  .refine(
    (input) =>
      input.kind !== "openapi" || (input.url === undefined) !== (input.fileId === undefined),
    { message: "must have either url or fileId", path: ["url"] },
  )
  .meta({ id: "CreateImportInput" });
export type CreateImportInput = z.infer<typeof createImportInput>;

/** A document or server that tools are imported from. */
export const importResource = z
  .object({
    id: z.string(),
    kind: z.enum(importKinds),
    title: z.string(),
    description: z.string(),
    version: z.string().meta({ description: "The version that the document or server states." }),
    format: z.string().meta({
      description: "The format of the document, or the revision of the protocol.",
    }),
    url: z.string().nullable().meta({ description: "Null if the document was uploaded." }),
    servers: z
      .array(
        z.object({
          url: z.string(),
          description: z.string(),
          variables: z.array(
            z.object({
              name: z.string(),
              default: z.string(),
              choices: z.array(z.string()),
              description: z.string(),
            }),
          ),
        }),
      )
      .meta({ description: "Base URLs of the API. The first is the default." }),
    securitySchemes: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(["api_key", "bearer", "basic", "oauth2", "unsupported"]),
        description: z.string(),
        credentialNames: z.array(z.string()).meta({
          description:
            "The names of the credentials that tools use, unless the request chooses others: one, or for `basic` the user name's and the password's.",
        }),
        prefix: z.string().optional().meta({
          description:
            'What the API expects in front of the key in the `Authorization` header, such as "Bearer". The value of the credential must contain it.',
        }),
        hint: z.string().optional().meta({ description: "What to enter as the value." }),
        connection: z
          .object({
            grantType: z.enum(["authorization_code", "client_credentials"]),
            issuer: z.string().optional(),
            authorizationUrl: z.string().optional(),
            tokenUrl: z.string().optional(),
            scopes: z.array(z.string()),
          })
          .optional()
          .meta({ description: "What a connection for this scheme can be created with." }),
      }),
    ),
    credential: z.string().nullable().meta({
      description: "The credential that is sent to the MCP server.",
    }),
    tags: z.array(z.object({ name: z.string(), itemCount: z.int() })).meta({
      description: "The tags that group the items, at most 200, the most frequent first.",
    }),
    documentHash: z.string().nullable().meta({
      description:
        "SHA-256 of the document in hexadecimal digits, to recognize one that was uploaded. Null for an MCP server.",
    }),
    itemCount: z.int().meta({ description: "The operations or tools that can be imported." }),
    toolCount: z.int().meta({ description: "The tools that were created from it." }),
    changeCount: z.int().meta({ description: "The tools that differ from the last check." }),
    status: z.enum(["ok", "failing"]).meta({
      description: "`failing` if the last check could not read the document or server.",
    }),
    problem: z.string().nullable().meta({ description: "Why the last check failed." }),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    checkedAt: z.iso.datetime().meta({ description: "The time of the last successful check." }),
    nextCheckAt: z.iso.datetime().nullable().meta({
      description: "Null if the document was uploaded, so it is not checked.",
    }),
  })
  .meta({ id: "Import", description: "An OpenAPI document or MCP server that tools come from." });
export type ImportResource = z.infer<typeof importResource>;

/** An operation of a document, or a tool of an MCP server. */
export const importItem = z
  .object({
    key: z.string().meta({
      description: "`GET /path` for an operation, the tool's name for an MCP server.",
    }),
    title: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    isDeprecated: z.boolean(),
    schemaBytes: z.int().meta({ description: "Approximate size of its input schema." }),
    securitySchemes: z.array(z.string()).meta({
      description: "The security schemes of the first alternative that needs credentials.",
    }),
    securityAlternatives: z.array(z.array(z.string())).meta({
      description:
        "All alternatives, the preferred first. The schemes of one are used together. An empty one means that no credentials are needed; then none are used, unless the request names some.",
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

/** Query of `GET /imports`. */
export const listImportsQuery = pageQuery.extend({
  toolName: z.string().max(64).optional().meta({
    description: "Lists only the import that this tool was created from.",
  }),
});

/** Query of `GET /imports/{id}/items`. */
export const listImportItemsQuery = pageQuery.extend({
  q: z.string().trim().max(200).optional().meta({
    description: "Filters by words in key, title, description and tags.",
  }),
  tag: z.string().max(200).optional().meta({ description: "Filters by tag." }),
  imported: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .meta({ description: "`true` lists only items with a tool, `false` only those without." }),
});

const keys = z
  .array(z.string().min(1).max(1_000))
  .min(1)
  .max(maxItemsPerRequest)
  .refine((all) => new Set(all).size === all.length, "must not repeat a key");

const publish = z.boolean().default(false).meta({
  description:
    "`true` publishes tools. `false` creates drafts, which only you see until you publish them.",
});

/** Body of `POST /imports/{id}/tools`. */
export const createImportedToolsInput = z
  .strictObject({
    keys,
    publish,
    allowDuplicates: z.boolean().default(false).meta({
      description:
        "Creates another tool or draft of items that already have one. Otherwise these are refused.",
    }),
    serverUrl: httpUrl.optional().meta({
      description: "The base URL of the API. Required if the document states none.",
    }),
    credentials: z
      .record(z.string().max(200), z.array(credentialName).min(1).max(2))
      .default({})
      .meta({ description: "Names of credentials by security scheme, instead of the defaults." }),
    visibility: z.enum(["private", "workspace"]).default("workspace"),
  })
  .meta({ id: "CreateImportedToolsInput" });
export type CreateImportedToolsInput = z.infer<typeof createImportedToolsInput>;

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

/** A difference between a tool and the document or server that it came from. */
export const importChange = z
  .object({
    key: z.string(),
    kind: z.enum(["changed", "removed"]),
    toolName: z.string(),
    isEdited: z.boolean().meta({
      description:
        "The tool was edited after the import, so applying the change discards the edits.",
    }),
    isOnHold: z.boolean().meta({
      description: "Runs are refused with `definition_changed` until the change is applied.",
    }),
    hash: z.string().meta({ description: "Identifies what applying the change publishes." }),
    before: jsonObject.meta({ description: "The definition of the live version." }),
    after: jsonObject.nullable().meta({
      description: "The definition that applying the change publishes. Null if it was removed.",
    }),
    notes: z.array(z.string()),
  })
  .meta({ id: "ImportChange" });
export type ImportChange = z.infer<typeof importChange>;

/** Query of `GET /imports/{id}/changes`. */
export const listImportChangesQuery = pageQuery.extend({
  toolName: z.string().max(64).optional().meta({
    description: "Lists only the change of this tool.",
  }),
});

/** Body of `POST /imports/{id}/changes`. */
export const applyImportChangesInput = z
  .strictObject({
    changes: z
      .array(
        z.strictObject({
          toolName: z.string().max(64),
          hash: z.string().max(100).meta({ description: "The `hash` of the change you reviewed." }),
        }),
      )
      .min(1)
      .max(maxItemsPerRequest),
    publish: publish.meta({
      description:
        "`true` publishes the changes, and archives the tools of removed items. `false` creates drafts.",
    }),
  })
  .meta({ id: "ApplyImportChangesInput" });
export type ApplyImportChangesInput = z.infer<typeof applyImportChangesInput>;

/** Body of `POST /imports/{id}/check`. */
export const checkImportInput = z
  .strictObject({
    fileId: id
      .optional()
      .meta({ description: "A new version of the document, for an import that was uploaded." }),
  })
  .meta({ id: "CheckImportInput" });
export type CheckImportInput = z.infer<typeof checkImportInput>;

/** Query of `DELETE /imports/{id}`. */
export const deleteImportQuery = z.object({
  tools: z.enum(["keep", "archive"]).default("keep").meta({
    description: "Whether its tools are archived too. Tools that are kept are no longer checked.",
  }),
});
