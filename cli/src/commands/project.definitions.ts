import { defineCommand } from "../define-command.ts";
import type { NoFlags } from "../define-command.ts";
import type { DiffFlags } from "../sync/diff.ts";
import type { NewFlags } from "../sync/new-tool.ts";
import type { PullFlags } from "../sync/pull.ts";
import type { PushFlags } from "../sync/plan-push.ts";

const folders = {
  kind: "array",
  parameter: { brief: "Folders of tools (default: all)", parse: String, placeholder: "tool" },
} as const;

const text = (brief: string, placeholder: string) =>
  ({ brief, parse: String, placeholder }) as const;
const flag = (brief: string) =>
  ({ kind: "boolean", brief, optional: true, withNegated: false }) as const;

export const init = defineCommand<NoFlags, []>({
  brief: "Make this folder a project of your workspace",
  parameters: {},
  load: async () => (await import("../sync/init.ts")).init,
});

export const newTool = defineCommand<NewFlags, [string]>({
  brief: "Create a tool in the project",
  parameters: {
    positional: { kind: "tuple", parameters: [text("Folder of the new tool", "name")] },
    flags: {
      template: {
        kind: "parsed",
        parse: String,
        brief: "blank, http, credential or file",
        default: "blank",
        placeholder: "name",
      },
    },
  },
  load: async () => (await import("../sync/new-tool.ts")).newTool,
});

export const pull = defineCommand<PullFlags, string[]>({
  brief: "Bring changes of the server into the project",
  description:
    "Names can be folders, or tools of the workspace that the project does not have yet. Your changes are never overwritten without --force.",
  parameters: {
    positional: folders,
    flags: {
      all: flag("Also add all other tools of the workspace"),
      force: flag("Overwrite your changes where both sides changed"),
      delete: flag("Delete folders whose tool was archived on the server"),
    },
  },
  load: async () => (await import("../sync/pull.ts")).pull,
});

export const push = defineCommand<PushFlags, string[]>({
  brief: "Publish changes of the project",
  description:
    "Each changed tool gets a new version, which is live immediately. Nothing is published if the server has changes that would be lost.",
  parameters: {
    positional: folders,
    flags: {
      dryRun: flag("Show what would be published"),
      force: flag("Publish over changes of the server"),
      delete: flag("Archive tools whose folder was deleted"),
      new: flag("Create a tool even if there is another with the same title"),
    },
  },
  load: async () => (await import("../sync/push.ts")).push,
});

export const diff = defineCommand<DiffFlags, string[]>({
  brief: "Show what a push would change",
  parameters: {
    positional: folders,
    flags: {
      markdown: flag("Print Markdown for a pull request"),
      exitCode: flag("Exit with 1 if there are differences"),
    },
  },
  load: async () => (await import("../sync/diff.ts")).diff,
});

export const status = defineCommand<NoFlags, []>({
  brief: "Compare the project with the server",
  parameters: {},
  load: async () => (await import("../sync/status.ts")).status,
});

export const rename = defineCommand<NoFlags, [string, string]>({
  brief: "Rename the folder of a tool",
  parameters: {
    positional: { kind: "tuple", parameters: [text("Folder", "from"), text("New folder", "to")] },
  },
  load: async () => (await import("../sync/links.ts")).rename,
});

export const link = defineCommand<NoFlags, [string, string]>({
  brief: "Link a folder to a tool of the server",
  parameters: {
    positional: { kind: "tuple", parameters: [text("Folder", "folder"), text("Tool", "tool")] },
  },
  load: async () => (await import("../sync/links.ts")).link,
});

export const tools = defineCommand<NoFlags, []>({
  brief: "List the tools of the workspace",
  parameters: {},
  load: async () => (await import("../sync/links.ts")).listTools,
});
