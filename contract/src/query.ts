import { z } from "zod";
import { credentialOwners } from "./credential.ts";
import { runStatuses, vias } from "./run.ts";
import { toolOrigins } from "./tool.ts";

/** Query parameters of every list. */
export const pageQuery = z.object({
  limit: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(200)
    .default(50)
    .meta({ description: "Items a page." }),
  cursor: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Place of the page, from the Link header of the one before." }),
});

/** A time, as Unix milliseconds once it is parsed. */
const time = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .optional();

/** Query of `GET /tools`. */
export const listToolsQuery = pageQuery.extend({
  catalog: z.literal("public").optional().meta({
    description: "Lists the tools that any workspace may install instead.",
  }),
  origin: z.enum(toolOrigins).optional().meta({
    description:
      "Keeps what you made, what others of your workspace made, or what is installed from other workspaces.",
  }),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Keeps tools with this text in their name, title or description." }),
});

/** Query of `GET /skill/{toolName}`. */
export const skillQuery = z.object({ format: z.enum(["markdown", "json"]).default("markdown") });

const searchText = z.string().trim().min(1).max(2_000);

/** Query of `GET /skills/search`. */
export const searchToolsQuery = z.object({
  q: z
    .union([searchText.transform((one) => [one]), z.array(searchText).max(10)])
    .optional()
    .meta({
      description: "What a tool should do. May be repeated; without it all are listed.",
    }),
  limit: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(50)
    .default(5)
    .meta({ description: "Matches for each query." }),
});

/** Query of `GET /drafts`. */
export const listDraftsQuery = pageQuery.extend({
  toolName: z.string().max(64).optional().meta({ description: "Keeps drafts of this tool." }),
});

/** Query of `GET /runs`. */
export const listRunsQuery = pageQuery.extend({
  toolName: z.string().max(64).optional().meta({ description: "Keeps runs of this tool." }),
  status: z.enum(runStatuses).optional().meta({ description: "Keeps runs in this state." }),
  via: z.enum(vias).optional().meta({ description: "Keeps runs asked for by this door." }),
  userId: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "Keeps runs of this person; `me` is the caller." }),
  since: time.meta({ description: "Keeps runs that began at this time or later." }),
  until: time.meta({ description: "Keeps runs that began at this time or earlier." }),
  q: z
    .string()
    .trim()
    .max(64)
    .optional()
    .meta({ description: "Text in the tool's name, or the beginning of the run's id." }),
  draft: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .meta({ description: "`true` keeps your runs of drafts, `false` leaves them out." }),
  draftId: z.string().max(64).optional().meta({ description: "Keeps your runs of this draft." }),
  parentRunId: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "Keeps runs that the tool of this run asked for." }),
});

const toolName = z.string().max(64);

/** Query of `GET /tool-activity`. */
export const toolActivityQuery = z.object({
  toolName: z
    .union([toolName.transform((one) => [one]), z.array(toolName).max(50)])
    .optional()
    .meta({
      description:
        "Tools to tell of, at most 50. May be repeated; without it those that ran lately.",
    }),
});

/** Query of `GET /api-keys` and `GET /connected-apps`. */
export const listOwnedQuery = pageQuery.extend({ owner: z.enum(["me", "anyone"]).default("me") });

/** Query of the routes of one credential. */
export const credentialQuery = z.object({
  owner: z.enum(credentialOwners).optional().meta({ description: "Which of the two." }),
});

/** Query of `DELETE /tools/{name}/approvals`. */
export const withdrawApprovalQuery = z.object({
  owner: z
    .enum(credentialOwners)
    .default("user")
    .meta({ description: "Whose credentials it is about." }),
});

/** Query of `GET /audit-events`. */
export const listAuditEventsQuery = pageQuery.extend({
  actor: z.string().max(100).optional().meta({ description: "Id of a user." }),
  action: z.string().max(100).optional(),
  target: z.string().max(200).optional(),
  since: time,
  until: time,
});

/** Query of `GET /audit-events/verification`. */
export const auditVerificationQuery = z.object({
  after: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: "The `next` of the answer before." }),
});
