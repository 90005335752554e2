import type { CreateToolInput, JsonObject } from "@toolhost/contract";

/** How messages reach a server: Streamable HTTP, or the HTTP+SSE transport of 2024-11-05. */
export type McpTransport = "http" | "sse";

/** What is needed to list the tools of a server. `auto` tries Streamable HTTP first. */
export type McpEndpoint = {
  url: string;
  transport: McpTransport | "auto";
  /** Additional headers, such as `authorization`. They may contain secrets and appear in no error. */
  headers: Readonly<Record<string, string>>;
  /** A secret in the URL, which appears in no error either. */
  secret?: string | undefined;
};

/** A tool as the server describes it, complete and unchanged. All of it is untrusted. */
export type McpToolDefinition = JsonObject & {
  name: string;
  inputSchema: JsonObject;
};

/** A tool of a listing, with the hash that pins its definition (`definitionHash`). */
export type ListedTool = { definition: McpToolDefinition; hash: string };

/** A tool that the server lists but that cannot be imported, and why. The name is printable and bounded. */
export type SkippedTool = { name: string; reason: string };

export type McpListing = {
  /** Printable and bounded, but untrusted. */
  serverInfo: { name: string; title?: string; version: string };
  protocolVersion: string;
  /** The transport that the server answered on. */
  transport: McpTransport;
  instructions?: string;
  /** In the order of the server. Names are unique. */
  tools: ListedTool[];
  skipped: SkippedTool[];
};

/** Where the tools of a server are called. From a listing, so that tools repeat no negotiation. */
export type McpServer = {
  url: string;
  transport: McpTransport;
  protocolVersion: string;
};

/** A credential that each call sends in a header, after a prefix such as `Bearer `. */
export type HeaderCredential = {
  /** The name of the credential, such as `GITHUB_TOKEN`. */
  name: string;
  header: string;
  prefix: string;
};

export type BuildOptions = {
  /** Checks an input schema as saving a tool does, and returns the errors. A schema with errors is simplified. */
  checkSchema: (schema: JsonObject) => Promise<readonly unknown[]>;
  credentials?: readonly HeaderCredential[];
  /** Headers without secrets. They become part of the code. */
  headers?: Readonly<Record<string, string>>;
};

/** A tool made of an MCP tool. `notes` says what of the definition was shortened, changed or omitted. */
export type BuiltTool = { tool: CreateToolInput; notes: string[] };
