import { z } from "zod";
import { approvalNeeds } from "./approval.ts";
import { jsonObject } from "./json-object.ts";

const definition = jsonObject.meta({
  description:
    "The body of `POST /tools`, possibly incomplete. It is not validated until the draft is run or published.",
});

/** A draft in lists. */
export const draftSummary = z
  .object({
    id: z.string(),
    toolName: z
      .string()
      .nullable()
      .meta({ description: "The tool that the draft changes. Null for a new tool." }),
    title: z.string().meta({ description: "The definition's title. Empty if it has none." }),
    baseVersion: z.int().nullable().meta({
      description: "The version of the tool that the draft is based on. Null for a new tool.",
    }),
    revision: z.int().meta({ description: "Incremented each time the draft is saved." }),
    import: z
      .object({ id: z.string(), title: z.string(), key: z.string() })
      .nullable()
      .meta({ description: "The import and the item that the draft was made from." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "DraftSummary", description: "A draft without its definition." });
export type DraftSummary = z.infer<typeof draftSummary>;

/** A draft with its definition, which may be incomplete or invalid. */
export const draft = draftSummary
  .extend({ definition })
  .meta({ id: "Draft", description: "The unpublished version of a tool." });
export type Draft = z.infer<typeof draft>;

/** Body of `POST /drafts`. */
export const createDraftInput = z
  .strictObject({
    toolName: z
      .string()
      .nullish()
      .meta({ description: "The tool to change. Omit it, or set it to null, for a new tool." }),
    copyOf: z.string().nullish().meta({
      description:
        "The tool that the definition was copied from. The draft gets no credentials for the access that this tool requests until you approve it.",
    }),
    definition,
  })
  .meta({ id: "CreateDraftInput" });
export type CreateDraftInput = z.infer<typeof createDraftInput>;

const revision = z.int().min(1).meta({ description: "The latest revision that you loaded." });

/** Body of `PUT /drafts/{id}`. */
export const updateDraftInput = z
  .strictObject({ revision, definition })
  .meta({ id: "UpdateDraftInput" });
export type UpdateDraftInput = z.infer<typeof updateDraftInput>;

/** Body of `POST /drafts/{id}/approvals`. */
export const approveDraftInput = z.strictObject({ revision }).meta({ id: "ApproveDraftInput" });

/** Response of `GET` and `POST /drafts/{id}/approvals`. */
export const draftApprovals = z
  .object({ revision: z.int(), title: z.string(), requested: approvalNeeds })
  .meta({ id: "DraftApprovals", description: "The access that a revision of a draft requests." });
export type DraftApprovals = z.infer<typeof draftApprovals>;

/** Body of `POST /drafts/{id}/publish`. */
export const publishDraftInput = z
  .strictObject({
    revision,
    baseVersion: z.int().min(1).optional().meta({
      description: "The live version that you reviewed, if it is not the draft's base version.",
    }),
    allowDuplicate: z.boolean().default(false).meta({
      description: "Publishes another tool of an item of an import that already has one.",
    }),
  })
  .meta({ id: "PublishDraftInput" });
export type PublishDraftInput = z.infer<typeof publishDraftInput>;

/** A template for a new tool. */
export const template = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    kind: z.enum(["starter", "example"]).meta({
      description: "`starter`: a minimal tool that shows one feature. `example`: a complete tool.",
    }),
    definition,
  })
  .meta({ id: "Template", description: "A template for a new tool." });
export type Template = z.infer<typeof template>;
