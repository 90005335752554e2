import { acceptUpdateInput, installToolInput, tool, toolInstall } from "@toolhost/contract";
import { z } from "zod";
import { acceptUpdate, getInstall, installTool, uninstallTool } from "#core/catalog";
import { defineRoute } from "./route.ts";

const tag = "Tools";
const nameParams = z.object({ name: z.string().meta({ description: "The tool's name." }) });

/** Installs public tools of other workspaces and accepts their updates. */
export const installRoutes = [
  defineRoute({
    method: "get",
    path: "/tools/{name}/install",
    operation: "getInstalledTool",
    tag,
    summary: "Get an installed tool and its update",
    description:
      "Returns the version that this workspace uses, and the changes between it and the live version, without their code.",
    scope: "mcp:read",
    audit: null,
    params: nameParams,
    status: 200,
    response: toolInstall,
    errors: ["tool_not_found"],
    handle: async ({ context, caller, params }) => ({
      body: await getInstall(context, caller, params.name),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/tools/{name}/install",
    operation: "installTool",
    tag,
    summary: "Install a public tool",
    description:
      "All members of the workspace can use it, with the credentials of this workspace. It stays at this version until the workspace accepts an update.",
    scope: "tools:write",
    audit: "tool.install",
    params: nameParams,
    body: installToolInput.default({}),
    isBodyOptional: true,
    status: 200,
    response: tool,
    errors: ["tool_not_found", "version_not_live"],
    handle: async ({ context, caller, params, body }) => ({
      body: await installTool(context, caller, params.name, body.version),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/tools/{name}/install",
    operation: "uninstallTool",
    tag,
    summary: "Uninstall a tool",
    description: "Members can no longer run it. Its run records remain.",
    scope: "tools:write",
    audit: "tool.uninstall",
    params: nameParams,
    status: 204,
    response: null,
    errors: ["tool_not_found"],
    handle: async ({ context, caller, params }) => {
      await uninstallTool(context, caller, params.name);
      return { body: null };
    },
  }),
  defineRoute({
    method: "post",
    path: "/tools/{name}/install/update",
    operation: "acceptToolUpdate",
    tag,
    summary: "Accept an update of an installed tool",
    description: "Name the live version that you have reviewed. New runs use it.",
    scope: "tools:write",
    audit: "tool.accept_update",
    params: nameParams,
    body: acceptUpdateInput,
    status: 200,
    response: toolInstall,
    errors: ["tool_not_found", "version_not_live"],
    handle: async ({ context, caller, params, body }) => ({
      body: await acceptUpdate(context, caller, params.name, body.version),
    }),
  }),
];
