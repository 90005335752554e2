import {
  listToolSummariesQuery,
  preferences,
  setTagsInput,
  toolSummary,
  toolTags,
  updatePreferencesInput,
} from "@toolhost/contract";
import { z } from "zod";
import {
  changePreferences,
  getPreferences,
  getToolSummaries,
  listTags,
  setTags,
} from "#core/tool-lists";
import { linkHeader, numberOfCursor } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Tools";

/** Tags, favorites and saved views, and the list of tools that they organize. */
export const toolListRoutes = [
  defineRoute({
    method: "get",
    path: "/tools/summaries",
    operation: "listToolSummaries",
    tag,
    summary: "List tools with facts about recent runs",
    description:
      "For lists that people read: without schemas, sorted and filtered. Use `GET /tools` for definitions.",
    scope: "mcp:read",
    audit: null,
    query: listToolSummariesQuery,
    status: 200,
    response: z.array(toolSummary),
    handle: async ({ context, caller, query: { limit, cursor, ...filters }, url }) => {
      const page = { limit, offset: numberOfCursor(cursor) ?? 0 };
      const { tools, next } = await getToolSummaries(context, caller, filters, page);
      return { body: tools, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "get",
    path: "/tags",
    operation: "listTags",
    tag,
    summary: "List the tags of tools",
    scope: "mcp:read",
    audit: null,
    status: 200,
    response: toolTags,
    handle: async ({ context, caller }) => ({ body: await listTags(context, caller) }),
  }),
  defineRoute({
    method: "put",
    path: "/tools/{name}/tags",
    operation: "setTags",
    tag,
    summary: "Set the tags of a tool",
    description:
      "Tags belong to this workspace, not to the definition of the tool: all members see them, and other workspaces do not.",
    scope: "tools:write",
    audit: "tool.tag",
    params: z.object({ name: z.string().meta({ description: "The tool's name." }) }),
    body: setTagsInput,
    status: 200,
    response: toolTags,
    errors: ["tool_not_found"],
    handle: async ({ context, caller, params, body }) => ({
      body: await setTags(context, caller, params.name, body.tags),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/preferences",
    operation: "getPreferences",
    tag: "Account",
    summary: "Get your preferences in this workspace",
    scope: "mcp:read",
    audit: null,
    status: 200,
    response: preferences,
    handle: async ({ context, caller }) => ({ body: await getPreferences(context, caller) }),
  }),
  defineRoute({
    method: "put",
    path: "/preferences",
    operation: "updatePreferences",
    tag: "Account",
    summary: "Change your preferences in this workspace",
    description: "Omitted fields stay unchanged.",
    scope: "mcp:read",
    audit: "private",
    body: updatePreferencesInput,
    status: 200,
    response: preferences,
    handle: async ({ context, caller, body }) => ({
      body: await changePreferences(context, caller, body),
    }),
  }),
];
