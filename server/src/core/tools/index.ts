export type { RunnableTool } from "./runnable-tool.ts";
export {
  findRunnableTool,
  findRunnableVersion,
  findToolToRun,
  runnableSize,
} from "./runnable-tool.ts";
export { findIsIdempotent, keepVisibleNames } from "./tool-store.ts";
export { archiveTool } from "./archive-tool.ts";
export { deleteArchivedTool, getArchivedTools } from "./archived-tools.ts";
export type { DraftPlace } from "./build-draft.ts";
export { buildDraft } from "./build-draft.ts";
export { findToolToChange, publishDefinition, versionNotLive } from "./publish-definition.ts";
export { capDraftBytes } from "./tool-caps.ts";
export { createShippedTool, createTool } from "./create-tool.ts";
export { acceptHarmlessUpdates, acceptUpdate, getInstall } from "./accept-update.ts";
export { getCatalog, installTool, uninstallTool } from "./install-tool.ts";
export { restoreTool } from "./restore-tool.ts";
export { updateTool } from "./update-tool.ts";
export { searchTools } from "./search-tools.ts";
export type { ToolIndexes } from "./tool-indexes.ts";
export { createToolIndexes } from "./tool-indexes.ts";
export { getSkill } from "./render-skill.ts";
export { getTool, getToolList, isOwnTool, getVersions } from "./get-tool.ts";
export { getVersion } from "./get-version.ts";
export type { KeptPackageTypes } from "./package-types.ts";
export { getPackageTypes } from "./package-types.ts";
export { draftName, toolUrl } from "./tool.ts";
export { approveTool, getApprovals, planApproval, withdrawApproval } from "./tool-approvals.ts";
