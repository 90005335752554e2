import { z } from "zod";
import { pageQuery } from "./query.ts";
import { credentialName } from "./tool.ts";

/** What tools can be imported from. */
const importKinds = ["openapi", "mcp"] as const;
export type ImportKind = (typeof importKinds)[number];

const httpUrl = z.url({ protocol: /^https?$/ }).max(2_048);
const bridgeUrl = z.string().regex(/^bridge:[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);
const id = z.string().max(64);

const openApiInput = z.strictObject({
  kind: z.literal("openapi"),
  url: httpUrl.optional().meta({
    description: "The URL of the document, which is read again each day to find changes.",
  }),
  fileId: id
    .optional()
    .meta({ description: "An uploaded file with the document, instead of a URL." }),
  allowDuplicate: z.boolean().default(false).meta({
    description:
      "Imports a document again that is imported already. Otherwise it is refused with `already_imported`.",
  }),
});

const mcpInput = z.strictObject({
  kind: z.literal("mcp"),
  url: z.union([httpUrl, bridgeUrl]).meta({
    description:
      "The URL of the MCP server, or `bridge:NAME` for a server that `toolhost bridge` connects. It may contain no secret; `{credential}` in its query stands for the value of the credential.",
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
    fileName: z.string().nullable().meta({
      description: "The name of the uploaded file. Null for a URL, and for older imports.",
    }),
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
    notes: z.array(z.string()).meta({ description: "What is left out of the document." }),
    documentHash: z.string().nullable().meta({
      description:
        "SHA-256 of the document in hexadecimal digits, to recognize one that was uploaded. Null for an MCP server.",
    }),
    itemCount: z.int().meta({ description: "The operations or tools that can be imported." }),
    importedCount: z.int().meta({ description: "Those of them that have a tool." }),
    toolCount: z.int().meta({
      description: "The tools that were created from it, also of items that were removed since.",
    }),
    draftCount: z.int().meta({
      description: "Items without a tool of which you have a draft of a new tool.",
    }),
    changeCount: z.int().meta({ description: "The tools that differ from the last check." }),
    holdCount: z.int().meta({
      description: "The tools whose runs are refused until their change is reviewed.",
    }),
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
  .meta({
    id: "Import",
    description: "An OpenAPI document, Postman collection or MCP server that tools come from.",
  });
export type ImportResource = z.infer<typeof importResource>;

/** Query of `GET /imports`. */
export const listImportsQuery = pageQuery.extend({
  toolName: z.string().max(64).optional().meta({
    description: "Lists only the import that this tool was created from.",
  }),
});

/** Body of `PATCH /imports/{id}`. */
export const updateImportInput = z
  .strictObject({
    title: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be a single line")
      .meta({ description: "Shown instead of the title that the document or server states." }),
  })
  .meta({ id: "UpdateImportInput" });
export type UpdateImportInput = z.infer<typeof updateImportInput>;

/** Body of `POST /imports/{id}/check`. */
export const checkImportInput = z
  .strictObject({
    fileId: id
      .optional()
      .meta({ description: "A new version of the document, for an import that was uploaded." }),
    allowMismatch: z.boolean().default(false).meta({
      description: "Accepts an uploaded document that describes another API.",
    }),
  })
  .meta({ id: "CheckImportInput" });
export type CheckImportInput = z.infer<typeof checkImportInput>;

/** Query of `DELETE /imports/{id}`. */
export const deleteImportQuery = z.object({
  tools: z.enum(["keep", "archive"]).default("keep").meta({
    description: "Whether its tools are archived too. Tools that are kept are no longer checked.",
  }),
  drafts: z.enum(["keep", "delete"]).default("keep").meta({
    description: "Whether your drafts of its items are deleted too.",
  }),
});
