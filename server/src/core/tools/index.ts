export type { RunnableTool } from "./runnable-tool.ts";
export type { ToolIndexes } from "./search-tools.ts";
export { findRunnableTool } from "./runnable-tool.ts";
export { archiveTool, createTool, restoreTool, updateTool } from "./save-tool.ts";
export { createToolIndexes, searchTools } from "./search-tools.ts";
export { getSkill } from "./render-skill.ts";
export { getTool, getToolList, getVersions } from "./get-tool.ts";
export { toolUrl } from "./tool.ts";
