export { buildTool } from "./build-tool.ts";
export { credentialMark, fillUrl } from "./client/credential-mark.ts";
export type {
  HeaderCredential,
  ListedTool,
  McpListing,
  McpServer,
  McpToolDefinition,
  McpTransport,
} from "./definition.ts";
export { listBridgedTools } from "./list-bridged-tools.ts";
export { listTools } from "./list-tools.ts";
export type { McpServerProblem } from "./mcp-server-error.ts";
export { McpServerError } from "./mcp-server-error.ts";
