import {
  approveDraftInput,
  draftApprovals,
  updateDraftInput,
  publishDraftInput,
  draftSummary,
  listDraftsQuery,
  createDraftInput,
  draft,
  packageTypes,
  runResult,
  template,
  toolDetail,
} from "@toolhost/contract";
import { z } from "zod";
import {
  approveDraftContent,
  createDraft,
  deleteDraft,
  getDraft,
  getDraftApprovals,
  getDraftPackageTypes,
  getTemplates,
  listDrafts,
  publishDraft,
  runDraft,
  saveDraft,
} from "#core/drafts";
import { cutPage } from "#lib/page";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";
import { preferHeader, readRunRequest } from "./run-request.ts";

const tag = "Drafts";
const draftParams = z.object({ id: z.string().meta({ description: "The draft's id." }) });

/** What a person is writing: kept by the server, seen by nobody else, run before anybody else gets it. */
export const draftRoutes = [
  defineRoute({
    method: "get",
    path: "/templates",
    tag,
    summary: "List tools to begin from",
    description:
      "Each `definition` is a whole one: send it to `POST /drafts`, or to `POST /tools` as it is.",
    scope: "mcp:read",
    audit: null,
    status: 200,
    response: z.array(template),
    handle: async () => ({ body: await getTemplates() }),
  }),
  defineRoute({
    method: "get",
    path: "/drafts",
    tag,
    summary: "List your drafts, newest first",
    scope: "tools:write",
    audit: null,
    query: listDraftsQuery,
    status: 200,
    response: z.array(draftSummary),
    handle: async ({ context, caller, query: { limit, cursor, toolName }, url }) => {
      const page = { limit: limit + 1, after: idOfCursor(cursor), toolName };
      const found = await listDrafts(context, caller, page);
      const { shown, next } = cutPage(found, limit, ({ id }) => id);
      return { body: shown, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/drafts",
    tag,
    summary: "Begin a draft",
    description:
      "Of a new tool, or of the live version of one that you may change. Its definition need not be complete or right. How many one person may have in all workspaces is limited by `USER_MAX_DRAFTS`, 200 unless configured.",
    scope: "tools:write",
    audit: "draft.create",
    body: createDraftInput,
    status: 201,
    response: draft,
    errors: ["tool_not_found", "draft_limit"],
    handle: async ({ context, caller, body }) => ({
      body: await createDraft(context, caller, body),
    }),
    headersOf: ({ id }, { config }) => ({ location: `${config.baseUrl}/api/v1/drafts/${id}` }),
  }),
  defineRoute({
    method: "get",
    path: "/drafts/{id}",
    tag,
    summary: "Get a draft",
    scope: "tools:write",
    audit: null,
    params: draftParams,
    status: 200,
    response: draft,
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => ({
      body: await getDraft(context, caller, params.id),
    }),
  }),
  defineRoute({
    method: "put",
    path: "/drafts/{id}",
    tag,
    summary: "Save a draft",
    description:
      "Names the revision that you have seen. When it was saved elsewhere since, nothing is overwritten.",
    scope: "tools:write",
    audit: "private",
    params: draftParams,
    body: updateDraftInput,
    status: 200,
    response: draftSummary,
    errors: ["not_found", "draft_changed"],
    handle: async ({ context, caller, params, body }) => ({
      body: await saveDraft(context, caller, params.id, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/drafts/{id}",
    tag,
    summary: "Delete a draft",
    description: "The records of its runs stay.",
    scope: "tools:write",
    audit: "draft.delete",
    params: draftParams,
    status: 204,
    response: null,
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => {
      await deleteDraft(context, caller, params.id);
      return { body: null };
    },
  }),
  defineRoute({
    method: "get",
    path: "/drafts/{id}/package-types",
    tag,
    summary: "Get the types of a draft's packages",
    description:
      "The packages are installed as for building the draft, without running anything of them, and their TypeScript declarations are read. All of them together are at most 6,000 files and 8 MiB; a package that does not fit is left out whole. The first time takes some seconds.",
    scope: "tools:write",
    audit: null,
    params: draftParams,
    status: 200,
    response: packageTypes,
    errors: ["not_found", "invalid_tool", "unavailable"],
    handle: async ({ context, caller, params, signal }) => ({
      body: await getDraftPackageTypes(context, caller, params.id, signal),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/drafts/{id}/run",
    tag,
    summary: "Run a draft as it was saved last",
    description:
      "Like running a tool: the body is its input. It gets the credentials that saving it with `credentials:write` gave it, whoever runs it. Nobody but you sees the run's record. Needs `mcp:execute` as well.",
    scope: "tools:write",
    audit: "run.create",
    takesKey: true,
    takesInput: true,
    requestHeaders: [preferHeader],
    params: draftParams,
    body: z.unknown().meta({ description: "The tool's input, as the draft's inputSchema says." }),
    status: 200,
    response: runResult,
    errors: [
      "not_found",
      "tool_not_found",
      "invalid_tool",
      "invalid_input",
      "credentials_missing",
      "quota_exceeded",
    ],
    handle: async ({ context, caller, params, signal, ...asked }) => {
      const { request, headers } = readRunRequest(context, caller, asked);
      return { body: await runDraft(context, caller, params.id, request, signal), headers };
    },
  }),
  defineRoute({
    method: "get",
    path: "/drafts/{id}/approvals",
    tag,
    summary: "Show what a draft asks for of credentials",
    scope: "tools:write",
    audit: null,
    params: draftParams,
    status: 200,
    response: draftApprovals,
    errors: ["not_found", "tool_not_found", "invalid_tool"],
    handle: async ({ context, caller, params }) => ({
      body: await getDraftApprovals(context, caller, params.id),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/drafts/{id}/approvals",
    tag,
    summary: "Approve what a draft asks for of credentials",
    description:
      "A draft gets your credentials for what you wrote into it by saving it with `credentials:write`. Approve what somebody or something else wrote: a key without that scope, or the author of the tool that it changes or was copied from. Names the revision that you have looked at.",
    scope: "credentials:write",
    audit: "tool.approve",
    params: draftParams,
    body: approveDraftInput,
    status: 200,
    response: draftApprovals,
    errors: ["not_found", "tool_not_found", "invalid_tool", "draft_changed"],
    handle: async ({ context, caller, params, body }) => ({
      body: await approveDraftContent(context, caller, params.id, body),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/drafts/{id}/publish",
    tag,
    summary: "Make a draft the tool",
    description:
      "Creates the tool (201) or its next version (200), live at once, and ends the draft. When somebody else changed the tool since the draft was begun, name the live version that you have seen as `baseVersion`.",
    scope: "tools:write",
    audit: "tool.create",
    params: draftParams,
    body: publishDraftInput,
    status: 201,
    response: toolDetail,
    errors: ["not_found", "tool_not_found", "invalid_tool", "draft_changed", "version_not_live"],
    handle: async ({ context, caller, params, body, signal }) => ({
      body: await publishDraft(context, caller, params.id, body, signal),
    }),
    // Version 1 is that of a new tool.
    statusOf: ({ version }) => (version === 1 ? 201 : 200),
    headersOf: ({ name }, { config }) => ({ location: `${config.baseUrl}/api/v1/tools/${name}` }),
  }),
];
