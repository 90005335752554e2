export { buildTool } from "./build-tool.ts";
export type {
  BuildOptions,
  BuiltTool,
  HeaderCredential,
  ListedTool,
  McpEndpoint,
  McpListing,
  McpServer,
  McpToolDefinition,
  McpTransport,
  SkippedTool,
} from "./definition.ts";
export { definitionHash } from "./definition-hash.ts";
export { listTools } from "./list-tools.ts";
export type { McpServerProblem } from "./mcp-server-error.ts";
export { McpServerError } from "./mcp-server-error.ts";
