/** Texts of the list of imports, and of creating one. */
export const messages = {
  title: "Imports",
  lead: "API documents and MCP servers that tools of this workspace come from.",
  list: "Imports",
  empty: {
    title: "No imports yet",
    body: "Import an OpenAPI document, a Postman collection or an MCP server, and select what becomes a tool. Later changes wait for your review. A curl command or the folder of a tool becomes a draft.",
    forViewers: "Builders can import OpenAPI documents and MCP servers, which then appear here.",
  },
  noImportOfTool: (name: string) =>
    `${name} doesn't come from an import that still exists, so it has no changes to review.`,

  kinds: {
    openapi: "OpenAPI",
    swagger: "Swagger",
    postman: "Postman",
    mcp: "MCP server",
    bridge: "MCP server at a bridge",
  },
  row: {
    uploaded: "Uploaded document",
    ok: "Up to date",
    failing: "Check failed",
    notConnected: "Not connected",
    onHold: (count: number) => (count === 1 ? "1 tool on hold" : `${count} tools on hold`),
    drafts: (count: number) => (count === 1 ? "1 draft" : `${count.toLocaleString("en")} drafts`),
    tools: (tools: number, items: number) =>
      `${tools.toLocaleString("en")} of ${items.toLocaleString("en")} imported`,
    changes: (count: number) => (count === 1 ? "1 change to review" : `${count} changes to review`),
    checked: "checked",
  },

  create: {
    titles: { openapi: "Import an API document", mcp: "Import an MCP server" },
    action: "Import",
    nothingYet: "You select what becomes a tool in the next step.",
    source: "Document",
    sources: { url: "From a URL", file: "From a file", text: "Paste text" },
    text: "Text of the document",
    textHint: "JSON or YAML.",
    signIn: {
      needed: (host: string) => `${host} requires a sign-in or an API key.`,
      refused: (host: string, name: string) =>
        `${host} refused the credential ${name}. Sign in again, or choose another.`,
      action: "Sign in",
    },
    url: "URL of the document",
    urlHint:
      "OpenAPI 3, Swagger 2 or a Postman collection. It is read again every day to find changes.",
    urlPlaceholder: "https://api.example.com/openapi.json",
    file: "File",
    fileHint:
      "Choose or drop a file: OpenAPI 3 or Swagger 2 in JSON or YAML, or a Postman collection (v2), up to 20 MiB.",
    chooseFile: "Choose file",
    replaceFile: "Choose another file",
    noFile: "No file chosen",
    fileRequired: "Choose a file.",
    uploading: (percent: number) => `Uploading… ${percent}%`,
    serverUrl: "URL of the server",
    serverUrlHint: "Its tools are listed again every two hours to find changes.",
    serverUrlPlaceholder: "https://mcp.example.com/mcp",
    existing: {
      server: {
        title: "This server is imported already:",
        another: "Import it again only to use another account.",
      },
      document: {
        title: "This document is imported already:",
        another: "Open that import to add tools. Importing it again makes a second one.",
      },
      noCredential: "(no credential)",
      credential: (name: string) => `(${name})`,
    },
    credential: "Credential",
    credentialHint: "For a server that requires a sign-in or an API key.",
    advanced: "Advanced",
    transport: "Transport",
    transports: {
      auto: "Detect automatically",
      http: "Streamable HTTP",
      sse: "HTTP with SSE (older servers)",
    },
  },
} as const;
