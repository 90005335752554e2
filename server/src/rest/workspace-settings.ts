import { updateWorkspaceSettingsInput, workspaceSettings } from "@toolhost/contract";
import { z } from "zod";
import { changeSettings, getSettings } from "#core/workspaces";
import { defineRoute } from "./route.ts";

const tag = "Workspaces";
const inWorkspace = z.object({ id: z.string().meta({ description: "The workspace's id." }) });

/** What a workspace may use, uses and keeps. */
export const workspaceSettingsRoutes = [
  defineRoute({
    method: "get",
    path: "/workspaces/{id}/settings",
    tag,
    summary: "Get a workspace's limits, usage and retention",
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
    tag,
    summary: "Change a workspace's settings",
    description:
      "Needs the role admin. A workspace may keep its runs and their logs for fewer days than the server does, and accept updates of installed tools that ask for nothing new without a person.",
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
