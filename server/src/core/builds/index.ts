export { buildShippedTool } from "./build-shipped-tool.ts";
export type { Builder, Bundle, Requester } from "./builder.ts";
export { createBuilder } from "./builder.ts";
