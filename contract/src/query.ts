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
    .meta({ description: "Items per page." }),
  cursor: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "The cursor of the page, from the Link header of the previous one." }),
});

const sortByTime = z
  .enum(["newest", "oldest"])
  .default("newest")
  .meta({ description: "The order of the items." });

/** The most items that a list counts. */
export const maxCounted = 10_000;

const withTotal = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .optional()
  .meta({
    description:
      "`true` adds the header `X-Total-Count`. Items beyond the first 10,000 are not examined; if there are more, `X-Total-Count-Relation` is `gte`.",
  });

/** A time, parsed to Unix milliseconds. */
const time = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .optional();

/** Query of `GET /tools`. */
export const listToolsQuery = pageQuery.extend({
  catalog: z.literal("public").optional().meta({
    description: "Lists the public tools that any workspace can install.",
  }),
  origin: z.enum(toolOrigins).optional().meta({
    description:
      "Filters by origin: made by you, made by others in your workspace, or installed from other workspaces.",
  }),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Filters by text in the name, title or description." }),
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
      description: "What a tool should do. Can be repeated; without it, all tools are listed.",
    }),
  limit: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(50)
    .default(5)
    .meta({ description: "Matches per query." }),
  explain: z
    .enum(["0", "1"])
    .default("0")
    .transform((flag) => flag === "1")
    .meta({ description: "`1` adds to the first 50 matches why the search found them." }),
});

/** Query of `GET /files`. */
export const listFilesQuery = pageQuery.extend({
  runId: z.string().max(64).optional().meta({ description: "Filters by the run that saved it." }),
  userId: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "Filters by user ID; `me` is the caller." }),
});

/** Query of `GET /drafts`. */
export const listDraftsQuery = pageQuery.extend({
  toolName: z.string().max(64).optional().meta({ description: "Filters by tool name." }),
});

/** Query of `GET /runs`. */
export const listRunsQuery = pageQuery.extend({
  sort: sortByTime,
  total: withTotal,
  toolName: z.string().max(64).optional().meta({ description: "Filters by tool name." }),
  status: z.enum(runStatuses).optional().meta({ description: "Filters by status." }),
  via: z
    .enum(vias)
    .optional()
    .meta({ description: "Filters by the interface that started the run." }),
  userId: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "Filters by user ID; `me` is the caller." }),
  since: time.meta({ description: "Filters by creation time: at this time or later." }),
  until: time.meta({ description: "Filters by creation time: at this time or earlier." }),
  q: z.string().trim().max(64).optional().meta({
    description:
      "Filters by text in the name or title of the tool or draft, or by the start of the run ID.",
  }),
  draft: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .meta({ description: "`true` lists only your runs of drafts, `false` excludes them." }),
  draftId: z.string().max(64).optional().meta({ description: "Filters by draft ID." }),
  parentRunId: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "Filters by the run that started them with `ctx.tools.run`." }),
  batchId: z.string().max(64).optional().meta({ description: "Filters by batch ID." }),
  credential: z.string().max(64).optional().meta({
    description: "Filters by the name of a credential that was available to the run.",
  }),
  host: z.string().max(255).optional().meta({
    description: "Filters by a host that the run sent requests to, or that it was denied.",
  }),
  apiKeyId: z.string().max(64).optional().meta({
    description: "Filters by the API key that started the run.",
  }),
  appId: z.string().max(64).optional().meta({
    description: "Filters by the connected app that started the run.",
  }),
});

const toolName = z.string().max(64);

/** Query of `GET /tool-activity`. */
export const toolActivityQuery = z.object({
  toolName: z
    .union([toolName.transform((one) => [one]), z.array(toolName).max(50)])
    .optional()
    .meta({
      description:
        "Filters by tool name. Can be repeated up to 50 times; without it, lists the tools that ran recently.",
    }),
});

/** Query of `GET /api-keys` and `GET /connected-apps`. */
export const listOwnedQuery = pageQuery.extend({ owner: z.enum(["me", "anyone"]).default("me") });

/** Query of the routes for one credential. */
export const credentialQuery = z.object({
  owner: z.enum(credentialOwners).optional().meta({
    description:
      "The owner of the credential, if you and the workspace both have one of this name.",
  }),
});

/** Query of `DELETE /tools/{name}/approvals`. */
export const withdrawApprovalQuery = z.object({
  owner: z
    .enum(credentialOwners)
    .default("user")
    .meta({ description: "Whose credentials the approval covers." }),
});

/** Query of `GET /audit-events`. */
export const listAuditEventsQuery = pageQuery.extend({
  sort: sortByTime,
  total: withTotal,
  actor: z.string().max(100).optional().meta({ description: "Filters by user ID." }),
  action: z.string().max(100).optional(),
  target: z.string().max(200).optional(),
  q: z.string().trim().max(100).optional().meta({
    description:
      "Filters by text in the name or email address of the actor or of the user concerned, in the name or title of the tool, or in the details.",
  }),
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
    .meta({ description: "The `next` of the previous response." }),
});
