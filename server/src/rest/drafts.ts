import {
  approveDraftInput,
  createExampleResultsInput,
  exampleResults,
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
  listExampleResults,
  publishDraft,
  recordExampleResults,
  runDraft,
  saveDraft,
} from "#core/drafts";
import { runLocation } from "#core/runs";
import { cutPage } from "#lib/page";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";
import { preferHeader, readRunRequest } from "./run-request.ts";

const tag = "Drafts";
const draftParams = z.object({ id: z.string().meta({ description: "The ID of the draft." }) });

/** Unpublished versions of tools, visible to their author only, who can run them before publishing. */
export const draftRoutes = [
  defineRoute({
    method: "get",
    path: "/templates",
    operation: "listTemplates",
    tag,
    summary: "List templates",
    description:
      "Returns tools to start from. Each `definition` is complete: send it to `POST /drafts`, or unchanged to `POST /tools`.",
    scope: "mcp:read",
    audit: null,
    status: 200,
    response: z.array(template),
    handle: async () => ({ body: await getTemplates() }),
  }),
  defineRoute({
    method: "get",
    path: "/drafts",
    operation: "listDrafts",
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
    operation: "createDraft",
    tag,
    summary: "Create a draft",
    description:
      "Creates a draft of a new tool, or of the live version of a tool that you can edit. The definition can be incomplete or invalid. The number of drafts of a user in all workspaces is limited by `USER_MAX_DRAFTS` (default: 200).",
    scope: "tools:write",
    audit: "draft.create",
    body: createDraftInput,
    status: 201,
    response: draft,
    errors: ["tool_not_found", "definition_changed", "draft_limit"],
    handle: async ({ context, caller, body }) => ({
      body: await createDraft(context, caller, body),
    }),
    headersOf: ({ id }, { config }) => ({ location: `${config.baseUrl}/api/v1/drafts/${id}` }),
  }),
  defineRoute({
    method: "get",
    path: "/drafts/{id}",
    operation: "getDraft",
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
    operation: "saveDraft",
    tag,
    summary: "Save a draft",
    description:
      "Name the last revision that you have read. If the draft was saved elsewhere since, it returns `draft_changed` and overwrites nothing.",
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
    operation: "deleteDraft",
    tag,
    summary: "Delete a draft",
    description: "Deletes the draft permanently. Its run records remain.",
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
    operation: "getPackageTypes",
    tag,
    summary: "Get the types of the packages of a draft",
    description:
      "Installs the packages as for a build, without running their code, and returns their TypeScript declarations: at most 6,000 files and 8 MiB in total. A package that does not fit is left out entirely. The first request takes a few seconds.",
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
    operation: "runDraft",
    tag,
    summary: "Run the last saved revision of a draft",
    description:
      "Like running a tool: the body is its input. The draft gets the credentials that were approved when it was saved with `credentials:write`, whichever key runs it. Only you can see the run. Also requires `mcp:execute`.",
    scope: "tools:write",
    audit: "run.create",
    reservesKey: true,
    acceptsToolInput: true,
    requestHeaders: [preferHeader],
    params: draftParams,
    body: z.unknown().meta({
      description: "The input of the tool, which must match the inputSchema of the draft.",
    }),
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
    handle: async ({ context, caller, params, signal, ...rest }) => {
      const { request, headers } = readRunRequest(context, caller, rest);
      return { body: await runDraft(context, caller, params.id, request, signal), headers };
    },
    headersOf: ({ runId }) => ({ location: runLocation(runId) }),
  }),
  defineRoute({
    method: "get",
    path: "/drafts/{id}/example-results",
    operation: "listExampleResults",
    tag,
    summary: "List the latest results of running the examples of a draft",
    scope: "tools:write",
    audit: null,
    params: draftParams,
    status: 200,
    response: z.array(exampleResults),
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => ({
      body: await listExampleResults(context, caller, params.id),
    }),
  }),
  defineRoute({
    method: "put",
    path: "/drafts/{id}/example-results",
    operation: "recordExampleResults",
    tag,
    summary: "Record the results of running the examples of a draft",
    description:
      "Run the examples with `POST /drafts/{id}/run`, compare each outcome with what the example expects, then send the results. Those of the published revision stay with its version.",
    scope: "tools:write",
    audit: "private",
    params: draftParams,
    body: createExampleResultsInput,
    status: 200,
    response: exampleResults,
    errors: ["not_found", "draft_changed"],
    handle: async ({ context, caller, params, body }) => ({
      body: await recordExampleResults(context, caller, params.id, body),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/drafts/{id}/approvals",
    operation: "getDraftApprovals",
    tag,
    summary: "Get the approvals that a draft requests",
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
    operation: "approveDraft",
    tag,
    summary: "Approve a draft",
    description:
      "Saving a draft with `credentials:write` approves your credentials for what you wrote. Here you approve what others wrote: a key without that scope, or the author of the tool that the draft edits or was copied from. Name the revision that you have reviewed.",
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
    operation: "publishDraft",
    tag,
    summary: "Publish a draft",
    description:
      "Creates the tool (201) or its next version (200), which is live immediately, and deletes the draft. If the tool has changed since the draft was created, send the live version that you have reviewed as `baseVersion`.",
    scope: "tools:write",
    audit: "tool.create",
    params: draftParams,
    body: publishDraftInput,
    status: 201,
    response: toolDetail,
    errors: [
      "not_found",
      "tool_not_found",
      "invalid_tool",
      "draft_changed",
      "version_not_live",
      "already_imported",
    ],
    handle: async ({ context, caller, params, body, signal }) => ({
      body: await publishDraft(context, caller, params.id, body, signal),
    }),
    // Only a new tool has version 1.
    statusOf: ({ version }) => (version === 1 ? 201 : 200),
    headersOf: ({ name }, { config }) => ({ location: `${config.baseUrl}/api/v1/tools/${name}` }),
  }),
];
