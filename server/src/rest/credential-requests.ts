import { credentialRequest } from "@toolhost/contract";
import { z } from "zod";
import { listCredentialRequests, requestCredentials } from "#core/workspaces";
import { defineRoute } from "./route.ts";

const tag = "Credentials";

/** Requests to admins for the credentials that tools lack. */
export const credentialRequestRoutes = [
  defineRoute({
    method: "get",
    path: "/credential-requests",
    operation: "listCredentialRequests",
    tag,
    summary: "List pending requests for credentials",
    description:
      "Admins see those of all members, others their own. A request ends by itself when the tool lacks nothing, and after 30 days. Returns at most 20, newest first.",
    scope: "mcp:read",
    audit: null,
    status: 200,
    response: z.array(credentialRequest),
    handle: async ({ context, caller }) => ({
      body: await listCredentialRequests(context, caller),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/tools/{name}/credential-requests",
    operation: "requestCredentials",
    tag,
    summary: "Ask the admins for the credentials that a tool lacks",
    description:
      "Sends an email to the admins of the workspace, once per tool and day, and for at most 10 tools per day.",
    scope: "mcp:execute",
    audit: "credential.request",
    params: z.object({ name: z.string().meta({ description: "The tool's name." }) }),
    status: 201,
    response: credentialRequest,
    errors: ["tool_not_found", "quota_exceeded"],
    handle: async ({ context, caller, params }) => ({
      body: await requestCredentials(context, caller, params.name),
    }),
  }),
];
