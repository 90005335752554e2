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
  })
  .meta({ id: "ToolApprovals", description: "What the live version wants, and who approved it." });
export type ToolApprovals = z.infer<typeof toolApprovals>;

/** Body of `POST /tools/:name/approvals`. */
export const approvalRequest = z
  .strictObject({
    version: z.int().min(1).meta({ description: "The live version that you have looked at." }),
    owner: z.enum(credentialOwners).default("user"),
  })
  .meta({ id: "ApprovalRequest" });
export type ApprovalRequest = z.infer<typeof approvalRequest>;
