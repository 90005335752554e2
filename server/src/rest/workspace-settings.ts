import { updateWorkspaceSettingsInput, workspaceSettings } from "@toolhost/contract";
import { z } from "zod";
import { changeSettings, getSettings } from "#core/workspaces";
import { defineRoute } from "./route.ts";

const tag = "Workspaces";
const inWorkspace = z.object({ id: z.string().meta({ description: "The ID of the workspace." }) });

/** Limits, usage and retention of a workspace. */
export const workspaceSettingsRoutes = [
  defineRoute({
    method: "get",
    path: "/workspaces/{id}/settings",
    operation: "getWorkspaceSettings",
    tag,
    summary: "Get the settings of a workspace",
    scope: "person",
    audit: null,
    params: inWorkspace,
    status: 200,
    response: workspaceSettings,
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => ({
      body: await getSettings(context, caller, params.id),
    }),
  }),
  defineRoute({
    method: "patch",
    path: "/workspaces/{id}/settings",
    operation: "updateWorkspaceSettings",
    tag,
    summary: "Update the settings of a workspace",
    description:
      "Requires the role admin. A workspace can retain its runs and logs for fewer days than the server, set the length of outputs for agents, and automatically accept updates of installed tools that request nothing new.",
    scope: "person",
    audit: "workspace.configure",
    params: inWorkspace,
    body: updateWorkspaceSettingsInput,
    status: 200,
    response: workspaceSettings,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params, body }) => ({
      body: await changeSettings(context, caller, params.id, body),
    }),
  }),
];
