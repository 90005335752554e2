/** Texts of the page that connects agents. */
export const messages = {
  title: "Connect agents",
  lead: "Connect your agent, and it can find and run your tools.",
  clients: "Clients",
  client: "Client",
  categories: {
    chat_app: "Chat apps",
    editor: "Editors",
    command_line: "Command line",
    configuration_file: "Configuration files",
  },
  needsPublicAddress: "Needs a public address",
  other: {
    title: "Other clients",
    body: "Connect any client that supports MCP over HTTP with this URL.",
  },
  unreachable: (client: string) =>
    `${client} connects from the internet, and this address is only reachable from your network. Choose a client on your machine, or give the server a public address.`,
  mcpUrl: "MCP server URL",
  terminal: "Run in a terminal",
  open: (client: string) => `Open ${client}`,
  keyInserted: "Your API key is inserted below. Copy it now. It is shown only once.",
  browserSignIn:
    "Your browser opens once for you to sign in and choose the permissions. The client then appears under Connected apps.",
  keySignIn: "This client uses an API key. You can revoke it under API keys.",
} as const;
