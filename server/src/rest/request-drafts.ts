import { createDraftFromRequestInput, draftFromRequest } from "@toolhost/contract";
import { createDraftFromRequest } from "#core/imports";
import { defineRoute } from "./route.ts";

/** Drafts made from an example of a request, such as a curl command. */
export const requestDraftRoutes = [
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
