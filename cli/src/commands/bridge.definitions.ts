import { defineCommand } from "../define-command.ts";

export const bridge = defineCommand<{ name?: string }, string[]>({
  brief: "Connect an MCP server on this machine to your tools",
  description: [
    "Starts an MCP server that speaks over stdio, and connects it to the service until Ctrl-C:",
    "",
    "  toolhost bridge --name files -- npx -y @modelcontextprotocol/server-filesystem ~/notes",
    "  toolhost import bridge:files",
    "",
    "Only you can import its tools and run them, while this command runs. It opens no port.",
  ].join("\n"),
  parameters: {
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        brief: "After --, the command that starts the server",
        parse: String,
        placeholder: "command",
      },
    },
    flags: {
      name: {
        kind: "parsed",
        parse: String,
        brief: "Name of the bridge (default: local)",
        optional: true,
        placeholder: "name",
      },
    },
  },
  load: async () => (await import("../bridge/bridge.ts")).runBridge,
});
