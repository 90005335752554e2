import { z } from "zod";
import { approvalNeeds } from "./approval.ts";
import { jsonObject } from "./tool.ts";

const definition = jsonObject.meta({
  description:
    "What `POST /tools` takes, as far as it is written: nothing of it is checked until the draft is run or published.",
});

/** What a person is writing, as lists show it. */
export const draftSummary = z
  .object({
    id: z.string(),
    toolName: z
      .string()
      .nullable()
      .meta({ description: "The tool it changes; null for a new one." }),
    title: z.string().meta({ description: "The definition's title; empty while it has none." }),
    baseVersion: z
      .int()
      .nullable()
      .meta({ description: "The tool's version that it was begun from; null for a new tool." }),
    revision: z.int().meta({ description: "Counts the saves of the draft." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "DraftSummary", description: "What a person is writing, without its definition." });
export type DraftSummary = z.infer<typeof draftSummary>;

/** The same with its definition, which may be incomplete or wrong. */
export const draft = draftSummary
  .extend({ definition })
  .meta({ id: "Draft", description: "What a person is writing." });
export type Draft = z.infer<typeof draft>;

/** Body of `POST /drafts`. */
export const createDraftInput = z
  .strictObject({
    toolName: z
      .string()
      .nullish()
      .meta({ description: "The tool to change; leave it out, or null, for a new one." }),
    copyOf: z.string().nullish().meta({
      description:
        "The tool that the definition was copied from. The draft gets no credentials for what that tool asks for until you approve it.",
    }),
    definition,
  })
  .meta({ id: "CreateDraftInput" });
export type CreateDraftInput = z.infer<typeof createDraftInput>;

const revision = z.int().min(1).meta({ description: "The revision that you have seen last." });

/** Body of `PUT /drafts/{id}`. */
export const updateDraftInput = z
  .strictObject({ revision, definition })
  .meta({ id: "UpdateDraftInput" });
export type UpdateDraftInput = z.infer<typeof updateDraftInput>;

/** Body of `POST /drafts/{id}/approvals`. */
export const approveDraftInput = z.strictObject({ revision }).meta({ id: "ApproveDraftInput" });

/** Answer of `GET` and `POST /drafts/{id}/approvals`. */
export const draftApprovals = z
  .object({ revision: z.int(), title: z.string(), wanted: approvalNeeds })
  .meta({ id: "DraftApprovals", description: "What a draft asks for at a revision." });
export type DraftApprovals = z.infer<typeof draftApprovals>;

/** Body of `POST /drafts/{id}/publish`. */
export const publishDraftInput = z
  .strictObject({
    revision,
    baseVersion: z
      .int()
      .min(1)
      .optional()
      .meta({ description: "The live version that you have seen, if it is not the draft's own." }),
  })
  .meta({ id: "PublishDraftInput" });
export type PublishDraftInput = z.infer<typeof publishDraftInput>;

/** A tool to begin from. */
export const template = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    kind: z.enum(["beginning", "example"]).meta({
      description: "`beginning` teaches one thing with little code; `example` is a finished tool.",
    }),
    definition,
  })
  .meta({ id: "Template", description: "A tool to begin from." });
export type Template = z.infer<typeof template>;
