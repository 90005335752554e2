import { buildRouteMap } from "@stricli/core";
import type { InstallFlags } from "../agents/install.ts";
import { defineCommand } from "../define-command.ts";
import type { NoFlags } from "../define-command.ts";
import type { DeleteSecretFlags, SecretFlags } from "../secrets/secrets.ts";
import type { TypesFlags } from "../types/write-types.ts";
import { clientsHelp } from "./value-names.ts";

const flag = (brief: string) =>
  ({ kind: "boolean", brief, optional: true, withNegated: false }) as const;

const setSecret = defineCommand<SecretFlags, [string]>({
  brief: "Store a credential, or replace its value",
  description: "The value is read from stdin, or asked for. It is never an argument.",
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Name, such as GITHUB_TOKEN", parse: String, placeholder: "name" }],
    },
    flags: {
      hosts: {
        kind: "parsed",
        parse: String,
        brief: "Hosts that it may be sent to, separated by commas",
        optional: true,
        placeholder: "hosts",
      },
      workspace: flag("Share it with all members of the workspace"),
    },
  },
  load: async () => (await import("../secrets/secrets.ts")).setSecret,
});

const listSecrets = defineCommand<NoFlags, []>({
  brief: "List credentials, without values",
  parameters: {},
  load: async () => (await import("../secrets/secrets.ts")).listSecrets,
});

const deleteSecret = defineCommand<DeleteSecretFlags, [string]>({
  brief: "Delete a credential",
  description: "Tools that need it fail until it is stored again.",
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Name, such as GITHUB_TOKEN", parse: String, placeholder: "name" }],
    },
    flags: { workspace: flag("Delete that of the workspace, not your own") },
  },
  load: async () => (await import("../secrets/secrets.ts")).deleteSecret,
});

export const secret = buildRouteMap({
  routes: { set: setSecret, list: listSecrets, delete: deleteSecret },
  docs: { brief: "Manage credentials" },
});

export const types = defineCommand<TypesFlags, []>({
  brief: "Write typed functions for the tools of the workspace",
  parameters: {
    flags: {
      out: {
        kind: "parsed",
        parse: String,
        brief: "File to write",
        default: "toolhost-tools.ts",
        placeholder: "file",
      },
    },
  },
  load: async () => (await import("../types/write-types.ts")).writeTypes,
});

const installMcp = defineCommand<InstallFlags, [string]>({
  brief: "Add the service to an MCP client",
  description: clientsHelp,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Client", parse: String, placeholder: "client" }],
    },
    flags: { print: flag("Print what to do instead of doing it") },
  },
  load: async () => (await import("../agents/install.ts")).installMcp,
});

export const mcp = buildRouteMap({
  routes: { install: installMcp },
  docs: { brief: "Connect agents" },
});
