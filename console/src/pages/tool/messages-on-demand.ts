/** Texts of the parts of a tool's page that are loaded on demand. */
export const messages = {
  notFound: {
    page: "Tool not found",
    title: (workspace: string | undefined, name: string) =>
      `${workspace ?? "This workspace"} has no tool ${name}`,
    hint: "It may have been archived or made private, or the address may be mistyped.",
    searching: "Searching your other workspaces…",
    inOtherWorkspace: "This tool is in another of your workspaces.",
    inCatalog: "This tool is public. You can install it from the catalog.",
    inCatalogOnly: "This tool is public. A builder or admin can install it.",
    goTo: (workspace: string) => `Go to ${workspace}`,
    viewTools: "View tools",
  },
  askAdmin: {
    hint: "Is this a credential that everyone shares?",
    ask: "Ask an admin",
    sent: "The admins were notified",
    pending: "You have asked an admin. You can run the tool when the credential is there.",
  },
  origin: {
    from: { openapi: "Imported from the OpenAPI document", mcp: "Calls the MCP server" },
    onHold: {
      changed:
        "On hold: the MCP server changed this tool after it was approved. Runs are refused until someone reviews the change.",
      removed:
        "On hold: the MCP server no longer offers this tool. Runs are refused until someone reviews the change.",
      unchecked:
        "On hold: the MCP server could not be checked for changes for a day. Runs are refused until a check succeeds.",
    },
    reviewers: "Builders and admins of the workspace can approve the change. Ask one of them.",
    noImport: "It is reviewed in the workspace that imported it.",
    changed: {
      changed: "The imported document has changed this tool.",
      removed: "The imported document no longer contains this tool.",
    },
    review: "Review change",
  },
  finishedRun: {
    showLog: "Show log",
    hideLog: "Hide log",
    duration: (duration: string) => `Took ${duration}. `,
    noHosts: "No network requests.",
    contacted: (hosts: readonly string[], more: number) =>
      `Requests to ${hosts.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
    nothingMissing: "All credentials are available. You can run the tool now.",
  },
  json: {
    title: "Input as JSON",
    apply: "Fill in form",
    label: "JSON",
    invalid: 'Enter a JSON object, such as {"city": "Rome"}.',
    copy: "Copy JSON",
    copyLink: "Copy link with this input",
  },
  documentation: {
    lead: "Agents read this documentation as an Agent Skill.",
    copy: "Copy Markdown",
    download: "Download SKILL.md",
  },
  use: {
    key: "API key",
    keyVariable: (variable: string) => `The snippets below read the API key from ${variable}.`,
    createOr: "Create a key to insert it below, or use one of",
    yourKeys: "your API keys",
    keyShown: "The snippets below now contain the key. Copy what you need: it is shown only once.",
    terminal: "Terminal",
    replacePath: "Replace example.txt with the path of your file.",
    typescript: "TypeScript",
    mcp: "Agents (MCP)",
    mcpLead:
      "Connect an agent once, and it can find and run every tool of the workspace. For instructions for each client, see",
    install: "Install",
    clientSettings: "Client configuration",
    agentCall: "Tool call",
    uploadFirst: "The agent uploads each file with",
    uploadThen: "first, and replaces FILE_ID with the file ID.",
  },
  runs: {
    noun: ["run", "runs"],
    filter: "Filter runs",
    list: (title: string) => `Runs of ${title}`,
    emptyTitle: "No runs yet",
    empty:
      "Each run of this tool appears here with its input, output, log and network requests, whether it came from the console, a script, an agent or a chat.",
  },
  source: {
    settings: "Settings",
    line: (line: number) => `Line ${line}`,
    typescript: "TypeScript",
    javascript: "JavaScript",
    inputSchema: "Input schema",
    outputSchema: "Output schema",
  },
} as const;
