import { z } from "zod";
import { credentialOwners } from "./credential.ts";
import { credentialName } from "./tool.ts";

/** The access that a version of a tool requests, or that was approved. */
export const approvalNeeds = z
  .object({
    credentials: z.array(
      z.object({
        name: credentialName,
        hosts: z.array(z.string()).meta({
          description:
            'Hosts that the credential may be sent to. "*" stands for all of the credential\'s own hosts.',
        }),
        expose: z.boolean().meta({ description: "Whether the tool's code can read the value." }),
      }),
    ),
    allowedHosts: z
      .array(z.string())
      .meta({ description: "All hosts that the tool may connect to." }),
  })
  .meta({ id: "ApprovalNeeds" });
export type ApprovalNeeds = z.infer<typeof approvalNeeds>;

/** A credential that is unavailable to a run, and the page where that can be fixed. */
export const missingCredential = z
  .object({
    name: z.string(),
    reason: z.enum(["missing", "not_connected", "not_approved", "not_exposable"]).meta({
      description:
        "Why the credential is unavailable. `not_exposable`: the version requests the value itself, but the credential's owner has not allowed that, or the tool belongs to another workspace.",
    }),
    owner: z
      .enum(["user", "workspace"])
      .optional()
      .meta({ description: "Omitted if the reason is `missing`." }),
    new: approvalNeeds.optional().meta({
      description: "Only for `not_approved`: the requested access that has not been approved.",
    }),
    connectUrl: z.string(),
  })
  .meta({ id: "MissingCredential" });
export type MissingCredential = z.infer<typeof missingCredential>;

/** The access to its credentials that one owner, the caller or the workspace, approved for the live version. */
const toolApproval = z
  .object({
    owner: z.enum(credentialOwners),
    covered: z
      .boolean()
      .meta({ description: "Whether everything that the live version requests is approved." }),
    approved: approvalNeeds.nullable(),
    new: approvalNeeds.meta({ description: "Access that the live version requests in addition." }),
    version: z.int().nullable().meta({ description: "The version that was approved." }),
    how: z.enum(["save", "request", "upgrade", "withdrawn"]).nullable(),
    by: z.string().nullable(),
    at: z.iso.datetime().nullable(),
  })
  .meta({ id: "ToolApproval" });
export type ToolApproval = z.infer<typeof toolApproval>;

/** The tool and its author. */
const approvedTool = z.object({
  name: z.string(),
  title: z.string(),
  author: z.string().meta({ description: "Name of the tool's author." }),
  workspace: z.object({ id: z.string(), name: z.string(), isOwn: z.boolean() }).meta({
    description: "The tool's workspace. `isOwn` is true if it is your current workspace.",
  }),
});

/** The permission of a user to run a tool from chats without a confirmation. */
const alwaysAllowed = z
  .object({
    version: z.int().meta({ description: "The version that was confirmed." }),
    covered: z.boolean().meta({
      description:
        "Whether it covers the live version: the code is the same, and it requests no further credentials or hosts.",
    }),
    at: z.iso.datetime(),
  })
  .meta({ id: "AlwaysAllowed" });
export type AlwaysAllowed = z.infer<typeof alwaysAllowed>;

/** Response of `GET /tools/:name/approvals`. */
export const toolApprovals = z
  .object({
    tool: approvedTool,
    version: z.int(),
    requested: approvalNeeds,
    approvals: z.array(toolApproval),
    alwaysAllowed: alwaysAllowed.nullable().optional().meta({
      description:
        "Only for `GET`: whether you run the tool from chats without a confirmation. Given in a chat with _Always allow_.",
    }),
    missing: z.array(missingCredential).optional().meta({
      description:
        "Only for `GET`: credentials that would be unavailable to your next run, as in a `credentials_missing` error.",
    }),
  })
  .meta({
    id: "ToolApprovals",
    description: "The access that the live version requests, and its approvals.",
  });
export type ToolApprovals = z.infer<typeof toolApprovals>;

/** Body of `POST /tools/:name/approvals`. */
export const approveToolInput = z
  .strictObject({
    version: z.int().min(1).meta({ description: "The live version that you reviewed." }),
    owner: z.enum(credentialOwners).default("user"),
  })
  .meta({ id: "ApproveToolInput" });
export type ApproveToolInput = z.infer<typeof approveToolInput>;
