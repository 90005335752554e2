import { z } from "zod";
import { credentialOwners } from "./credential.ts";
import { credentialName } from "./tool.ts";

/** What a version of a tool asks for, or what somebody approved of it. */
export const approvalNeeds = z
  .object({
    credentials: z.array(
      z.object({
        name: credentialName,
        hosts: z.array(z.string()).meta({
          description: 'Where it may be sent; "*" is every host that the credential itself names.',
        }),
        expose: z.boolean().meta({ description: "The tool's code sees the value itself." }),
      }),
    ),
    allowedHosts: z.array(z.string()).meta({ description: "All hosts that the tool may reach." }),
  })
  .meta({ id: "ApprovalNeeds" });
export type ApprovalNeeds = z.infer<typeof approvalNeeds>;

/** A credential that a run could not have, and where that is fixed. */
export const lackingCredential = z
  .object({
    name: z.string(),
    reason: z.enum(["missing", "not_connected", "not_approved", "not_exposable"]).meta({
      description:
        "`not_exposable`: the version asks to see the value, which the credential's owner has not allowed, or which a tool of another workspace never may.",
    }),
    owner: z.enum(["user", "workspace"]).optional().meta({ description: "Unless it is missing." }),
    new: approvalNeeds.optional().meta({
      description: "Of not_approved: what the version asks for beyond what was approved.",
    }),
    connectUrl: z.string(),
  })
  .meta({ id: "LackingCredential" });
export type LackingCredential = z.infer<typeof lackingCredential>;

/** What one side, the caller or the workspace, lets the live version have of its credentials. */
const toolApproval = z
  .object({
    owner: z.enum(credentialOwners),
    covered: z.boolean().meta({ description: "The live version gets what it asks for." }),
    approved: approvalNeeds.nullable(),
    new: approvalNeeds.meta({ description: "What the live version asks for beyond that." }),
    version: z.int().nullable().meta({ description: "The version that was approved." }),
    how: z.enum(["save", "request", "upgrade", "withdrawn"]).nullable(),
    by: z.string().nullable(),
    at: z.iso.datetime().nullable(),
  })
  .meta({ id: "ToolApproval" });
export type ToolApproval = z.infer<typeof toolApproval>;

/** Which tool it is about, and who made it. */
const approvedTool = z.object({
  name: z.string(),
  title: z.string(),
  author: z.string().meta({ description: "Name of the person who made the tool." }),
  workspace: z
    .object({ id: z.string(), name: z.string(), isOwn: z.boolean() })
    .meta({ description: "The workspace that the tool comes from; `isOwn` when it is yours." }),
});

/** Answer of `GET /tools/:name/approvals`. */
export const toolApprovals = z
  .object({
    tool: approvedTool,
    version: z.int(),
    wanted: approvalNeeds,
    approvals: z.array(toolApproval),
    missing: z.array(lackingCredential).optional().meta({
      description:
        "Of `GET` alone: what your next run could not have, as `credentials_missing` says it.",
    }),
  })
  .meta({ id: "ToolApprovals", description: "What the live version wants, and who approved it." });
export type ToolApprovals = z.infer<typeof toolApprovals>;

/** Body of `POST /tools/:name/approvals`. */
export const approveToolInput = z
  .strictObject({
    version: z.int().min(1).meta({ description: "The live version that you have looked at." }),
    owner: z.enum(credentialOwners).default("user"),
  })
  .meta({ id: "ApproveToolInput" });
export type ApproveToolInput = z.infer<typeof approveToolInput>;
