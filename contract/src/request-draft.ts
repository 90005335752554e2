import { z } from "zod";
import { draft } from "./draft.ts";
import { credentialName } from "./tool.ts";
import type { JsonObject } from "./json-object.ts";

/** Any JSON value, which was parsed from JSON. */
const jsonValue: z.ZodType<JsonObject[string]> = z.any();

const name = z
  .string()
  .max(200)
  .meta({ description: "The name that the API uses. Empty for a whole body." });

const prefix = z
  .string()
  .max(100)
  .regex(/^[\x20-\x7e]*$/, "must contain only printable ASCII characters")
  .default("")
  .meta({ description: "Text before the credential's value, such as `Bearer `." });

const inputField = z.strictObject({
  from: z.literal("input"),
  in: z.enum(["path", "query", "header", "body", "file", "whole"]),
  name,
  sample: jsonValue.optional().meta({
    description: "Its type and the example are made from it. Must not be a secret.",
  }),
});

const fixedField = z.strictObject({
  from: z.literal("fixed"),
  in: z.enum(["path", "query", "header", "body", "whole"]),
  name,
  value: jsonValue.meta({ description: "Written into the code. Must not be a secret." }),
});

const credentialField = z.strictObject({
  from: z.literal("credential"),
  in: z.enum(["path", "query", "header", "body"]),
  name,
  credential: credentialName,
  prefix,
});

const loginPart = z.union([
  z.strictObject({ credential: credentialName }),
  z.strictObject({ value: z.string().max(200) }),
]);

const loginField = z
  .strictObject({ from: z.literal("login"), user: loginPart, password: loginPart })
  .meta({ description: "User name and password, sent as `Authorization: Basic`." });

const serverUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .meta({ description: "Scheme and host, such as `https://api.example.com`." });

/** Query of `GET /server-check`. */
export const serverCheckQuery = z.strictObject({ server: serverUrl });

/** Response of `GET /server-check`. */
export const serverCheck = z
  .object({
    reason: z.string().nullable().meta({
      description:
        "Why tools cannot send requests to the server; null if nothing in its URL shows it.",
    }),
  })
  .meta({ id: "ServerCheck", description: "Whether tools can send requests to a server." });

export type ServerCheck = z.infer<typeof serverCheck>;

/** Body of `POST /drafts/from-request`. */
export const createDraftFromRequestInput = z
  .strictObject({
    title: z.string().max(200).meta({ description: "The title of the tool." }),
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),
    server: serverUrl,
    path: z.string().max(1_000).startsWith("/").meta({
      description: "The path, with `{name}` for each field in it.",
    }),
    body: z
      .strictObject({
        kind: z.enum(["none", "json", "form", "multipart", "text", "file"]),
        mediaType: z
          .string()
          .max(200)
          .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+$/, "must be a media type")
          .optional(),
      })
      .default({ kind: "none" }),
    accept: z
      .string()
      .max(200)
      .regex(/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/, "must be a media type")
      .optional()
      .meta({ description: "The media type of the response. JSON by default." }),
    fields: z
      .array(z.discriminatedUnion("from", [inputField, fixedField, credentialField, loginField]))
      .max(200)
      .meta({
        description:
          "Values of the request. Inputs with the same name and sample are one input of the tool, which is sent in each place.",
      }),
  })
  .meta({ id: "CreateDraftFromRequestInput" });
export type CreateDraftFromRequestInput = z.infer<typeof createDraftFromRequestInput>;

/** Response of `POST /drafts/from-request`. */
export const draftFromRequest = draft
  .extend({
    notes: z.array(z.string()).meta({ description: "What you should know about the tool." }),
  })
  .meta({ id: "DraftFromRequest", description: "A draft that was made of a request." });
export type DraftFromRequest = z.infer<typeof draftFromRequest>;
