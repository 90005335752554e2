import {
  createDraftFromRequestInput,
  draftFromRequest,
  serverCheck,
  serverCheckQuery,
} from "@toolhost/contract";
import { createDraftFromRequest, explainServer } from "#core/imports";
import { defineRoute } from "./route.ts";

/** Drafts made from an example of a request, such as a curl command. */
export const requestDraftRoutes = [
  defineRoute({
    method: "get",
    path: "/server-check",
    operation: "checkServer",
    tag: "Drafts",
    summary: "Check the server of a request",
    description:
      "Returns why tools cannot send requests to a server, as far as its URL shows it: its scheme, a private IP address, or a name of a private network. Resolves no name and sends no request.",
    scope: "tools:write",
    audit: null,
    query: serverCheckQuery,
    status: 200,
    response: serverCheck,
    handle: ({ context, query: { server } }) =>
      Promise.resolve({ body: { reason: explainServer(context, server) ?? null } }),
  }),
  defineRoute({
    method: "post",
    path: "/drafts/from-request",
    operation: "createDraftFromRequest",
    tag: "Drafts",
    summary: "Create a draft from a request",
    description:
      "Creates a draft of a tool that sends a request like the given one. Each value of the request is an input of the tool, is fixed, or is a credential. The console and `toolhost import --curl` read curl commands and send only what is no secret.",
    scope: "tools:write",
    audit: "draft.create",
    body: createDraftFromRequestInput,
    status: 201,
    response: draftFromRequest,
    errors: ["draft_limit", "unavailable"],
    handle: async ({ context, caller, body }) => ({
      body: await createDraftFromRequest(context, caller, body),
    }),
    headersOf: ({ id }, { config }) => ({ location: `${config.baseUrl}/api/v1/drafts/${id}` }),
  }),
];
