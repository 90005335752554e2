import { buildRouteMap } from "@stricli/core";
import { defineCommand } from "../define-command.ts";
import type { NoFlags } from "../define-command.ts";
import type { UpdateFlags } from "../imports/import-changes.ts";
import type { ImportFlags } from "../imports/import.ts";

const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, optional: true, placeholder }) as const;
const texts = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, optional: true, variadic: true, placeholder }) as const;
const flag = (brief: string) =>
  ({ kind: "boolean", brief, optional: true, withNegated: false }) as const;

export const importTools = defineCommand<ImportFlags, [string]>({
  brief: "Import tools from an OpenAPI document, an MCP server or a curl command",
  description: [
    "Reads an OpenAPI document or a Postman collection from a file or URL, or lists the tools of an MCP",
    "server with --mcp.",
    "Without a choice, asks on a terminal which operations become tools, and lists them elsewhere.",
    "",
    "Creates drafts, or with --publish tools. Repeating a command creates nothing twice: a source that",
    "was imported before is checked for changes instead, and --publish publishes drafts that exist.",
    "--again creates another tool or draft.",
    "",
    "With --curl, the source is a curl command, or - to read it from stdin. It becomes a draft, each",
    "time another one. The values of its secrets are not sent: save them as credentials.",
  ].join("\n"),
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "File or URL of the document, URL of the MCP server, or a curl command",
          parse: String,
          placeholder: "file|url",
        },
      ],
    },
    flags: {
      mcp: flag("The URL is that of an MCP server"),
      curl: flag("The source is a curl command, or - for stdin"),
      operation: texts(
        "Operation to import, such as 'GET /pets', or the name of an MCP tool",
        "key",
      ),
      tag: text("Import all operations with this tag", "tag"),
      search: text("Import all operations that contain these words", "text"),
      update: text("ID of an import, whose document the file replaces", "import"),
      yes: flag("With --update, accept a document that describes another API"),
      publish: flag("Publish tools instead of creating drafts"),
      again: flag("Create another tool or draft of what was imported before"),
      server: text("Base URL of the API, instead of the document's", "url"),
      credential: texts(
        "Credential of a security scheme, or with --mcp of the server",
        "scheme=name",
      ),
      auth: text(
        "How --credential is sent, instead of what the document declares: none, bearer, basic, header:NAME or query:NAME",
        "kind",
      ),
    },
  },
  load: async () => (await import("../imports/import.ts")).importTools,
});

const importId = { brief: "ID of the import", parse: String, placeholder: "import" } as const;

const list = defineCommand<NoFlags, []>({
  brief: "List imports",
  parameters: {},
  load: async () => (await import("../imports/list-imports.ts")).listImports,
});

const changes = defineCommand<NoFlags, [string]>({
  brief: "Show how tools differ from the document or server that they were imported from",
  description: "Reads the document or server again. A tool is shown with the hash of its change.",
  parameters: { positional: { kind: "tuple", parameters: [importId] } },
  load: async () => (await import("../imports/import-changes.ts")).showChanges,
});

const update = defineCommand<UpdateFlags, string[]>({
  brief: "Apply changes of an import to its tools",
  description: [
    "Publishes the changes of the named tools, and archives tools that were removed. With TOOL@HASH, as",
    "'toolhost imports changes' shows it, a change that is no longer the reviewed one is refused.",
    "A change of a tool that was edited needs --discard-edits, or --draft to combine both.",
  ].join("\n"),
  parameters: {
    positional: {
      kind: "array",
      parameter: { brief: "Import, then tools", parse: String, placeholder: "import tool" },
      minimum: 1,
    },
    flags: {
      all: flag("Apply all changes"),
      draft: flag("Create drafts instead of publishing"),
      discardEdits: flag("Replace the edits of tools"),
    },
  },
  load: async () => {
    const { updateTools } = await import("../imports/import-changes.ts");
    return async (session, flags, id = "", ...tools) => updateTools(session, flags, id, ...tools);
  },
});

export const imports = buildRouteMap({
  routes: { list, changes, update },
  defaultCommand: "list",
  docs: { brief: "List imports, and apply changes of their documents and servers" },
});
