import type { BuildOptions, BuiltTool, McpServer, McpToolDefinition } from "./definition.ts";

/** Turns a tool of a server into the definition of a tool that calls it. */
export declare function buildTool(
  server: McpServer,
  definition: McpToolDefinition,
  options?: BuildOptions,
): BuiltTool;
