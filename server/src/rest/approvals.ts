import { approveToolInput, toolApprovals, withdrawApprovalQuery } from "@toolhost/contract";
import { z } from "zod";
import { tryFindMissingCredentials } from "#core/runs";
import {
  approveTool,
  findRunnableTool,
  getAlwaysAllowed,
  getApprovals,
  revokeAlwaysAllow,
  withdrawApproval,
} from "#core/catalog";
import { defineRoute } from "./route.ts";

const tag = "Approvals";
const params = z.object({ name: z.string().meta({ description: "The tool's name." }) });

/** Approvals for tools to use the credentials of the caller and of the workspace. */
export const approvalRoutes = [
  defineRoute({
    method: "get",
    path: "/tools/{name}/approvals",
    operation: "getToolApprovals",
    tag,
    summary: "Get the approvals of a tool, and what its live version requests",
    scope: "mcp:read",
    audit: null,
    params,
    status: 200,
    response: toolApprovals,
    errors: ["tool_not_found"],
    handle: async ({ context, caller, params: { name } }) => {
      const approvals = await getApprovals(context, caller, name);
      const missing = await tryFindMissingCredentials(context, caller, name);
      const tool = await findRunnableTool(context, caller, name);
      const alwaysAllowed = (await getAlwaysAllowed(context, caller, tool)) ?? null;
      return { body: { ...approvals, alwaysAllowed, missing } };
    },
  }),
  defineRoute({
    method: "post",
    path: "/tools/{name}/approvals",
    operation: "approveTool",
    tag,
    summary: "Approve the live version of a tool",
    description:
      "Lets the tool use your credentials, or those of the workspace, which requires the role owner or admin. Name the version that you have reviewed.",
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
    operation: "withdrawToolApproval",
    tag,
    summary: "Withdraw an approval",
    description: "Running the tool does not restore the approval; approving it again does.",
    scope: "credentials:write",
    audit: "tool.approval_withdraw",
    params,
    query: withdrawApprovalQuery,
    status: 204,
    response: null,
    errors: ["tool_not_found", "not_found"],
    handle: async ({ context, caller, params: { name }, query }) => {
      await withdrawApproval(context, caller, name, query.owner);
      return { body: null };
    },
  }),
  defineRoute({
    method: "delete",
    path: "/tools/{name}/approvals/always-allow",
    operation: "revokeAlwaysAllow",
    tag,
    summary: "Revoke your permission to run a tool from chats without a confirmation",
    scope: "mcp:execute",
    audit: "tool.always_allow_revoke",
    params,
    status: 204,
    response: null,
    errors: ["tool_not_found", "not_found"],
    handle: async ({ context, caller, params: { name } }) => {
      await revokeAlwaysAllow(context, caller, name);
      return { body: null };
    },
  }),
];
