import {
  applyImportChangesInput,
  checkImportInput,
  createImportedToolsInput,
  createImportInput,
  deleteImportQuery,
  importChange,
  importedTool,
  importItem,
  importResource,
  listImportChangesQuery,
  listImportItemsQuery,
  listImportsQuery,
  publishImportedDraftsInput,
  updateImportInput,
} from "@toolhost/contract";
import { z } from "zod";
import {
  applyChanges,
  checkImport,
  createImport,
  createImportedTools,
  deleteImport,
  getImport,
  listChanges,
  listImportItems,
  listImports,
  publishImportedDrafts,
  renameImport,
} from "#core/imports";
import { idOfCursor, linkHeader, numberOfCursor } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Imports";
const ofImport = z.object({ id: z.string().meta({ description: "The ID of the import." }) });

/** OpenAPI documents and MCP servers that tools come from. */
export const importRoutes = [
  defineRoute({
    method: "get",
    path: "/imports",
    operation: "listImports",
    tag,
    summary: "List imports",
    description: "Returns the imports of the workspace, newest first.",
    scope: "mcp:read",
    audit: null,
    query: listImportsQuery,
    status: 200,
    response: z.array(importResource),
    errors: [],
    handle: async ({ context, caller, query: { limit, cursor, toolName }, url }) => {
      const page = { limit, after: idOfCursor(cursor), toolName };
      const { imports, next } = await listImports(context, caller, page);
      return { body: imports, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/imports",
    operation: "createImport",
    tag,
    summary: "Create an import",
    description:
      "Reads an OpenAPI document (3.x or Swagger 2.0, JSON or YAML, up to 20 MiB) or lists the tools of an MCP server. Creates no tools. The document or server is checked for changes from then on. A document that the workspace has an import of is refused, unless you send `allowDuplicate`.",
    scope: "tools:write",
    audit: "import.create",
    body: createImportInput,
    status: 201,
    response: importResource,
    errors: ["file_not_found", "already_imported", "connection_failed", "quota_exceeded"],
    handle: async ({ context, caller, body }) => ({
      body: await createImport(context, caller, body),
    }),
    headersOf: ({ id }) => ({ location: `/api/v1/imports/${id}` }),
  }),
  defineRoute({
    method: "get",
    path: "/imports/{id}",
    operation: "getImport",
    tag,
    summary: "Get an import",
    scope: "mcp:read",
    audit: null,
    params: ofImport,
    status: 200,
    response: importResource,
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => ({
      body: await getImport(context, caller, params.id),
    }),
  }),
  defineRoute({
    method: "patch",
    path: "/imports/{id}",
    operation: "updateImport",
    tag,
    summary: "Rename an import",
    scope: "tools:write",
    audit: "import.rename",
    params: ofImport,
    body: updateImportInput,
    status: 200,
    response: importResource,
    errors: ["not_found", "unavailable"],
    handle: async ({ context, caller, params, body }) => ({
      body: await renameImport(context, caller, params.id, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/imports/{id}",
    operation: "deleteImport",
    tag,
    summary: "Delete an import",
    description: "Requires the role admin, unless you created the import.",
    scope: "tools:write",
    audit: "import.delete",
    params: ofImport,
    query: deleteImportQuery,
    status: 204,
    response: null,
    errors: ["not_found", "forbidden", "unavailable"],
    handle: async ({ context, caller, params, query }) => {
      await deleteImport(context, caller, params.id, query);
      return { body: null };
    },
  }),
  defineRoute({
    method: "get",
    path: "/imports/{id}/items",
    operation: "listImportItems",
    tag,
    summary: "List the items of an import",
    description:
      "Returns the operations of the document or the tools of the MCP server, in its order; with `q` the best matches first. The header `X-Total-Count` has the number of all that match.",
    scope: "mcp:read",
    audit: null,
    params: ofImport,
    query: listImportItemsQuery,
    status: 200,
    response: z.array(importItem),
    errors: ["not_found"],
    handle: async ({ context, caller, params, query: { cursor, ...query }, url }) => {
      const filter = { ...query, from: numberOfCursor(cursor) ?? 0 };
      const { items, next, total } = await listImportItems(context, caller, params.id, filter);
      const link = linkHeader(context.config.baseUrl, url, next);
      return { body: items, headers: { ...link, "x-total-count": String(total) } };
    },
  }),
  defineRoute({
    method: "post",
    path: "/imports/{id}/tools",
    operation: "createImportedTools",
    tag,
    summary: "Create tools of items",
    description:
      "Creates drafts or published tools of up to 50 items: of all that are valid, and as many drafts as your limit allows. The response has one element per key, with the tool or draft, or the problem. An item that already has a tool or a draft of yours is refused, unless you send `allowDuplicates`. Send the `hashes` that you reviewed, so that no other definition is used.",
    scope: "tools:write",
    audit: "import.create_tools",
    params: ofImport,
    body: createImportedToolsInput,
    status: 200,
    response: z.array(importedTool),
    errors: ["not_found", "draft_limit", "quota_exceeded"],
    handle: async ({ context, caller, params, body, signal }) => ({
      body: await createImportedTools(context, caller, params.id, { ...body, signal }),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/imports/{id}/drafts/publish",
    operation: "publishImportedDrafts",
    tag,
    summary: "Publish drafts of an import",
    description:
      "Publishes up to 50 of your drafts that were made from items of the import: all that are valid. The response has one element per draft, with the tool, or with the draft and the problem.",
    scope: "tools:write",
    audit: "import.publish_drafts",
    params: ofImport,
    body: publishImportedDraftsInput,
    status: 200,
    response: z.array(importedTool),
    errors: ["not_found", "quota_exceeded", "unavailable"],
    handle: async ({ context, caller, params, body, signal }) => ({
      body: await publishImportedDrafts(context, caller, params.id, { ...body, signal }),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/imports/{id}/check",
    operation: "checkImport",
    tag,
    summary: "Check an import now",
    description:
      "Reads the document or server again, without waiting for the next check. Tools of an MCP server whose definition changed are put on hold. An uploaded document that evidently describes another API is refused, unless you send `allowMismatch`.",
    scope: "tools:write",
    audit: "import.check",
    params: ofImport,
    body: checkImportInput,
    status: 204,
    response: null,
    errors: [
      "not_found",
      "file_not_found",
      "document_mismatch",
      "connection_failed",
      "unavailable",
    ],
    handle: async ({ context, caller, params, body }) => {
      await checkImport(context, caller, params.id, body);
      return { body: null };
    },
  }),
  defineRoute({
    method: "get",
    path: "/imports/{id}/changes",
    operation: "listImportChanges",
    tag,
    summary: "List changes of an import",
    description:
      "Returns the tools that differ from the document or server as of the last check, with both definitions.",
    scope: "tools:write",
    audit: null,
    params: ofImport,
    query: listImportChangesQuery,
    status: 200,
    response: z.array(importChange),
    errors: ["not_found"],
    handle: async ({ context, caller, params, query: { limit, cursor, toolName }, url }) => {
      const page = { limit: Math.min(limit, 50), after: idOfCursor(cursor), toolName };
      const { changes, next } = await listChanges(context, caller, params.id, page);
      return { body: changes, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/imports/{id}/changes",
    operation: "applyImportChanges",
    tag,
    summary: "Apply changes of an import",
    description:
      "Publishes the changes that you reviewed, or creates drafts of them. Publishing a change of an MCP server's definition approves it, which ends the hold of the tool.",
    scope: "tools:write",
    audit: "import.apply_changes",
    params: ofImport,
    body: applyImportChangesInput,
    status: 200,
    response: z.array(importedTool),
    errors: ["not_found", "forbidden", "draft_limit", "quota_exceeded", "unavailable"],
    handle: async ({ context, caller, params, body, signal }) => ({
      body: await applyChanges(context, caller, params.id, { ...body, signal }),
    }),
  }),
];
