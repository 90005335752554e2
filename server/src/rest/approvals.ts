import { approveToolInput, credentialOwners, toolApprovals } from "@toolhost/contract";
import { z } from "zod";
import { tryFindMissingCredentials } from "#core/runs";
import { approveTool, getApprovals, withdrawApproval } from "#core/catalog";
import { defineRoute } from "./route.ts";

const tag = "Approvals";
const params = z.object({ name: z.string().meta({ description: "The tool's name." }) });

/** Decides what a tool may have of the caller's credentials, and of the workspace's. */
export const approvalRoutes = [
  defineRoute({
    method: "get",
    path: "/tools/{name}/approvals",
    tag,
    summary: "Show what a tool's live version wants of credentials, and what was approved",
    scope: "mcp:read",
    audit: null,
    params,
    status: 200,
    response: toolApprovals,
    errors: ["tool_not_found"],
    handle: async ({ context, caller, params: { name } }) => {
      const approvals = await getApprovals(context, caller, name);
      const missing = await tryFindMissingCredentials(context, caller, name);
      return { body: { ...approvals, missing } };
    },
  }),
  defineRoute({
    method: "post",
    path: "/tools/{name}/approvals",
    tag,
    summary: "Approve what a tool's live version wants",
    description:
      "For your own credentials, or for the workspace's, which its owners and admins do. Names the version that you have looked at.",
    scope: "credentials:write",
    audit: "tool.approve",
    params,
    body: approveToolInput,
    status: 200,
    response: toolApprovals,
    errors: ["tool_not_found", "version_not_live"],
    handle: async ({ context, caller, params: { name }, body }) => ({
      body: await approveTool(context, caller, name, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/tools/{name}/approvals",
    tag,
    summary: "Withdraw an approval",
    description: "Running the tool does not bring it back; approving it again does.",
    scope: "credentials:write",
    audit: "tool.approval_withdraw",
    params,
    query: z.object({
      owner: z
        .enum(credentialOwners)
        .default("user")
        .meta({ description: "Whose credentials it is about." }),
    }),
    status: 204,
    response: null,
    errors: ["tool_not_found", "not_found"],
    handle: async ({ context, caller, params: { name }, query }) => {
      await withdrawApproval(context, caller, name, query.owner);
      return { body: null };
    },
  }),
];
