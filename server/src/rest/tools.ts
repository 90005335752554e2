import {
  createToolInput,
  tool,
  toolDetail,
  listToolsQuery,
  pageQuery,
  updateToolInput,
  toolVersion,
  toolVersionDetail,
} from "@toolhost/contract";
import { toolTypes } from "@toolhost/tool-schema";
import { z } from "zod";
import {
  archiveTool,
  createTool,
  getCatalog,
  getTool,
  getToolList,
  getVersion,
  getVersions,
  restoreTool,
  updateTool,
} from "#core/catalog";
import { allowsChange, versionTag } from "./entity-tags.ts";
import { idOfCursor, linkHeader, numberOfCursor } from "./paging.ts";
import { publishedFromHeader, readPublishedFrom } from "./published-from.ts";
import { defineRoute } from "./route.ts";

const tag = "Tools";
const nameParams = z.object({ name: z.string().meta({ description: "The tool's name." }) });
const versionParams = nameParams.extend({
  version: z.coerce.number().int().min(1).max(1_000_000_000),
});

const ifMatchHeader = {
  name: "If-Match",
  description:
    "The `ETag` of the version that you have read. If another version is live, nothing changes.",
};

/** Whether the headers allow a change of the tool at a version. */
const isExpectedBy = (headers: Headers) => (version: number) =>
  allowsChange(headers.get("if-match"), versionTag(version));

/** Lists tools, and lets their authors create, update, restore and archive them. */
export const toolRoutes = [
  defineRoute({
    method: "get",
    path: "/tools",
    operation: "listTools",
    tag,
    summary: "List tools",
    scope: "mcp:read",
    audit: null,
    query: listToolsQuery,
    status: 200,
    response: z.array(tool),
    handle: async ({ context, caller, query, url }) => {
      const { limit, cursor, q, catalog, origin } = query;
      const page = { limit, after: idOfCursor(cursor), text: q === "" ? undefined : q, origin };
      const list = catalog === "public" ? getCatalog : getToolList;
      const { tools, next } = await list(context, caller, page);
      return { body: tools, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/tools",
    operation: "createTool",
    tag,
    summary: "Create a tool",
    description: "Builds the tool and makes it live as version 1.",
    scope: "tools:write",
    audit: "tool.create",
    body: createToolInput,
    status: 201,
    response: toolDetail,
    errors: ["invalid_tool", "unavailable"],
    requestHeaders: [publishedFromHeader],
    handle: async ({ context, caller, body, headers, signal }) => ({
      body: await createTool(context, caller, body, { signal, from: readPublishedFrom(headers) }),
    }),
    headersOf: ({ name, version }, { config }) => ({
      location: `${config.baseUrl}/api/v1/tools/${name}`,
      etag: versionTag(version),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/tools/{name}",
    operation: "getTool",
    tag,
    summary: "Get a tool with its source",
    description: "The `ETag` names the version. Send it as `If-Match` to update only that version.",
    scope: "mcp:read",
    audit: null,
    params: nameParams,
    status: 200,
    response: toolDetail,
    errors: ["tool_not_found"],
    handle: async ({ context, caller, params }) => {
      const body = await getTool(context, caller, params.name);
      return { body, headers: { etag: versionTag(body.version) } };
    },
  }),
  defineRoute({
    method: "patch",
    path: "/tools/{name}",
    operation: "updateTool",
    tag,
    summary: "Update a tool",
    description:
      "Saves the next version and makes it live. If the build fails, nothing changes. With `Published-From`, a body that equals the live version creates none.",
    scope: "tools:write",
    audit: "tool.update",
    params: nameParams,
    body: updateToolInput,
    status: 200,
    response: toolDetail,
    errors: ["tool_not_found", "invalid_tool", "precondition_failed", "unavailable"],
    requestHeaders: [ifMatchHeader, publishedFromHeader],
    handle: async ({ context, caller, params, body, headers, signal }) => {
      const isExpected = isExpectedBy(headers);
      const from = readPublishedFrom(headers);
      const options = { isExpected, signal, from };
      return { body: await updateTool(context, caller, params.name, body, options) };
    },
    headersOf: ({ version }) => ({ etag: versionTag(version) }),
  }),
  defineRoute({
    method: "delete",
    path: "/tools/{name}",
    operation: "archiveTool",
    tag,
    summary: "Archive a tool",
    description:
      "The tool can no longer be run or found. Its run records remain. `DELETE /archived-tools/{name}` also deletes its code.",
    scope: "tools:write",
    audit: "tool.archive",
    params: nameParams,
    status: 204,
    response: null,
    errors: ["tool_not_found", "precondition_failed"],
    requestHeaders: [ifMatchHeader, publishedFromHeader],
    handle: async ({ context, caller, params, headers }) => {
      const from = readPublishedFrom(headers);
      await archiveTool(context, caller, params.name, { isExpected: isExpectedBy(headers), from });
      return { body: null };
    },
  }),
  defineRoute({
    method: "get",
    path: "/tools/{name}/types",
    operation: "getToolTypes",
    textMediaType: "text/plain",
    tag,
    summary: "Get the types of a tool for an editor",
    description:
      "Returns TypeScript declarations of `Input`, `Output` and `Context`, for code such as `export default async (input: Input, ctx: Context): Promise<Output>`.",
    scope: "mcp:read",
    audit: null,
    params: nameParams,
    status: 200,
    response: z.string(),
    errors: ["tool_not_found"],
    handle: async ({ context, caller, params }) => ({
      body: toolTypes(await getTool(context, caller, params.name)),
      contentType: "text/plain; charset=utf-8",
    }),
  }),
  defineRoute({
    method: "get",
    path: "/tools/{name}/versions",
    operation: "listToolVersions",
    tag,
    summary: "List the versions of a tool",
    scope: "tools:write",
    audit: null,
    params: nameParams,
    query: pageQuery,
    status: 200,
    response: z.array(toolVersion),
    errors: ["tool_not_found"],
    handle: async ({ context, caller, params, query, url }) => {
      const page = { limit: query.limit, before: numberOfCursor(query.cursor) };
      const { versions, next } = await getVersions(context, caller, params.name, page);
      return { body: versions, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "get",
    path: "/tools/{name}/versions/{version}",
    operation: "getToolVersion",
    tag,
    summary: "Get a version of a tool with its source",
    description: "A version never changes.",
    scope: "tools:write",
    audit: null,
    params: versionParams,
    status: 200,
    response: toolVersionDetail,
    errors: ["tool_not_found", "not_found"],
    handle: async ({ context, caller, params: { name, version } }) => ({
      body: await getVersion(context, caller, name, version),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/tools/{name}/versions/{version}/restore",
    operation: "restoreToolVersion",
    tag,
    summary: "Restore an earlier version",
    description: "Saves its content as the next version and makes it live.",
    scope: "tools:write",
    audit: "tool.restore",
    params: versionParams,
    status: 200,
    response: toolDetail,
    errors: ["tool_not_found", "not_found"],
    handle: async ({ context, caller, params }) => ({
      body: await restoreTool(context, caller, params.name, params.version),
    }),
  }),
];
